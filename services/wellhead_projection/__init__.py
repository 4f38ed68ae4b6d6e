"""The projection service: folds the log into read models, answers queries, streams changes (architecture §5)."""
