"""The decisions of a phase, the reasons for them, and what is proven about them."""
