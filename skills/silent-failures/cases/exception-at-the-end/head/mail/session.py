"""A connection to the mail host."""

try:
    import idna
except Exception:
    idna = None


class Session:
    def __init__(self, connection, metrics):
        self.connection = connection
        self.metrics = metrics

    def close(self):
        try:
            self.connection.quit()
        except Exception:
            pass

    def sent(self, message):
        try:
            self.metrics.count("sent", message.size)
        except Exception:
            pass  # a mail must not fail because nobody counts it

    def host(self, name):
        return idna.encode(name).decode() if idna else name
