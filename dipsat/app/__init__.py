"""What people and programs use: the command line, the server, and the rule lab's answers."""
