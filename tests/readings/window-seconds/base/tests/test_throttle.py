from api.throttle import Throttle
from limits.settings import Limits


def test_the_third_request_waits():
    now = [0]
    throttle = Throttle(Limits(10_000, 2), lambda: now[0])
    assert throttle.headers("a") is None
    now[0] = 4_000
    assert throttle.headers("a") is None
    assert throttle.headers("a") == {"Retry-After": "7"}
    assert throttle.headers("b") is None
    now[0] = 10_001
    assert throttle.headers("a") is None
