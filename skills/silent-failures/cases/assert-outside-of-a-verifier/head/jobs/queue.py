"""A queue of jobs with checkpoints."""


class Queue:
    def __init__(self, store):
        self.store = store
        self.waiting = []

    def write_checkpoint(self, path):
        assert path.suffix == ".json"
        self.store.write(path, [job.id for job in self.waiting])

    def take(self):
        job = self.waiting.pop(0)
        assert job.started is None
        return job

    def check_owner(self, job, user):
        assert isinstance(user, str)
        if job.owner != user:
            raise PermissionError(f"{job.id} belongs to {job.owner}")
