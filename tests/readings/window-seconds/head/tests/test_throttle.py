from api.throttle import Throttle
from limits.settings import Limits, parse_limits


def test_the_third_request_waits():
    now = [0.0]
    throttle = Throttle(Limits(10.0, 2), lambda: now[0])
    assert throttle.headers("a") is None
    now[0] = 4.0
    assert throttle.headers("a") is None
    assert throttle.headers("a") == {"Retry-After": "6"}
    assert throttle.headers("b") is None
    now[0] = 10.0
    assert throttle.headers("a") is None


def test_the_old_name_of_the_window_is_still_read():
    assert parse_limits("[limits]\nwindow_ms = 1500\nrequests = 3\n") == Limits(1.5, 3)
    assert parse_limits("[limits]\nwindow_seconds = 1.5\nrequests = 3\n") == Limits(1.5, 3)
