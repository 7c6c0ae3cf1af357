# `dipsat serve` in a container (docs/serve.md):
#   docker build -t dipsat .
#   docker run --init --read-only -p 127.0.0.1:8125:8125 dipsat
FROM python:3.13-slim AS build
COPY pyproject.toml README.md LICENSE /dipsat/
COPY dipsat /dipsat/dipsat
COPY rules /dipsat/rules
COPY datc /dipsat/datc
COPY lab/lab.cdx.json /dipsat/lab/
RUN python -m venv /opt/dipsat && /opt/dipsat/bin/pip install --no-cache-dir '/dipsat[serve]'

FROM python:3.13-slim
COPY --from=build /opt/dipsat /opt/dipsat
ENV PATH=/opt/dipsat/bin:$PATH
USER 10001:10001
EXPOSE 8125
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8125/healthz')"]
CMD ["dipsat", "serve", "--host", "0.0.0.0"]
