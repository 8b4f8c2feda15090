"""The Model port. Each adapter does one thing around the next, so their order is a matter of meaning:
side by side, recorded, patient, within a budget, one attempt at the provider."""
