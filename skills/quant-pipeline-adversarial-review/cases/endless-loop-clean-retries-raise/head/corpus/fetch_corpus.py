import time
import urllib.error
import urllib.request


def fetch(url, attempts=5):
    error = None
    for attempt in range(attempts):
        try:
            with urllib.request.urlopen(url, timeout=60) as answer:
                return answer.read()
        except urllib.error.URLError as caught:
            error = caught
            time.sleep(2**attempt)
    raise RuntimeError(f"{url}: {attempts} attempts") from error


def fetch_all(urls, sink):
    for url in urls:
        sink.write(fetch(url))
