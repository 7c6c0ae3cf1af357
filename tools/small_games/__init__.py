"""Armies that keep an enemy out of provinces of small maps, solved as games."""
