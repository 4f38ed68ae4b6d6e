"""`python -m wellhead_cli` is `wellhead`."""

from wellhead_cli.main import main

main()
