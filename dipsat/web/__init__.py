"""What the rule lab's page and other programs ask dipsat, and the answers: plain JSON."""
