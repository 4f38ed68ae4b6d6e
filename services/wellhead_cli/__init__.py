"""The command line: run the services, play a demonstration, simulate games, audit recorded ones."""
