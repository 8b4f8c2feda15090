"""The App's front door on the network: webhooks, pages, health and figures."""
