"""An adversarial reviewer of changes: it quotes the line, names the cost and offers a fix that applies."""

__version__ = "0.1.0"
