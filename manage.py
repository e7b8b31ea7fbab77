#!/usr/bin/env python3
"""The command line of a checkout; `referee` is the same where the wheel is installed."""

from referee.__main__ import main

if __name__ == "__main__":
    main()
