"""GitHub: what a pull request is (reading.py), what is sent to it (sink.py), over one client (client.py).

Nothing that reviews a local change imports this room. PyGithub is imported where a client is made.
"""
