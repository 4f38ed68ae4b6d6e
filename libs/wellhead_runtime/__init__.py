"""What every service shares: settings, logs, errors, credentials, live games, live streams, and how a service lives."""
