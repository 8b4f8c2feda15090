"""The orders of a customer, from the service that has them."""

import requests

SERVICE = "https://orders.example.org"


def orders_of(customer):
    try:
        answer = requests.get(f"{SERVICE}/customers/{customer}/orders", timeout=10)
        return answer.json()["orders"]
    except Exception:
        return []


def may_be_deleted(customer):
    return not orders_of(customer)
