"""Acts on the ledger of a sitting: a hand entered, confirmed, corrected, ended; calls, devices and PINs."""
