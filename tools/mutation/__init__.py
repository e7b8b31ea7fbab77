"""Kernels made wrong on purpose: where, how they are run, and questions that find them."""
