import torch


def split_batch(batch, parts):
    assert batch.shape[0] % parts == 0
    return batch.chunk(parts)


def validation_step(model, batch):
    assert batch.ndim == 2
    with torch.no_grad():
        return model(batch).loss.item()


def save_checkpoint(model, step, path):
    assert step > 0
    torch.save({"step": step, "model": model.state_dict()}, path)
