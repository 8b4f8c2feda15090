# The App: `reviewbot serve`. Build with `docker build -t reviewbot .`; docs/app.md says how to run it.
FROM python:3.12-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY prompts prompts
COPY skills skills
COPY reviewbot reviewbot
RUN python -m venv /opt/reviewbot \
    && /opt/reviewbot/bin/pip install --no-cache-dir -c constraints.txt '.[github,llm,server]'

FROM python:3.12-slim-bookworm
# git reads what is reviewed; gates run in bubblewrap, the commonest of them is shellcheck.
RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap ca-certificates git shellcheck tini \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /var/lib/reviewbot --create-home reviewbot \
    && chmod 0700 /var/lib/reviewbot
COPY --from=build /opt/reviewbot /opt/reviewbot
ENV PATH=/opt/reviewbot/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    REVIEWBOT_STATE_DIR=/var/lib/reviewbot
USER reviewbot
WORKDIR /var/lib/reviewbot
VOLUME /var/lib/reviewbot
EXPOSE 8000
# Loads nothing but the standard library, so that it costs little each time.
HEALTHCHECK --interval=15s --timeout=8s --start-period=40s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=6)"]
# tini passes SIGTERM on, and buries what a gate leaves behind.
ENTRYPOINT ["tini", "--", "reviewbot"]
CMD ["serve", "--host", "0.0.0.0"]
