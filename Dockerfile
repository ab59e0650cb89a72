# docs/hosting.md tells how to build and run it.

# The client: files that the server hands out. Node stays behind.
FROM node:20-slim AS client
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci
COPY web ./
COPY src ../src
RUN npm run build

# The package and what runs it, pinned, in a virtual environment. What builds it stays behind.
FROM python:3.11-slim AS package
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
COPY requirements.txt requirements-build.txt ./
RUN python -m venv /opt/quarterdeck \
    && /opt/quarterdeck/bin/pip install --requirement requirements.txt \
    && python -m venv builder \
    && builder/bin/pip install --requirement requirements-build.txt
COPY pyproject.toml README.md LICENSE ./
COPY --from=client /build/src src
RUN builder/bin/pip wheel --no-deps --no-build-isolation --wheel-dir dist . \
    && /opt/quarterdeck/bin/pip install --no-deps dist/*.whl

FROM python:3.11-slim
RUN useradd --create-home --uid 1000 quarterdeck && install -d -o quarterdeck /data
COPY --from=package /opt/quarterdeck /opt/quarterdeck
USER quarterdeck
# The rules are compiled here and run elsewhere: for any processor of this kind, not for the one at
# hand. Both the build and the server must say so, or the server would compile its own.
ENV PATH=/opt/quarterdeck/bin:$PATH \
    NUMBA_CPU_NAME=generic \
    QUARTERDECK_HOST=0.0.0.0 \
    QUARTERDECK_DATA=/data
# Compiled rules belong to the image, so that the first table of every game opens at once.
RUN quarterdeck warm
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ.get('QUARTERDECK_PORT', '8000') + '/healthz', timeout=4)"]
CMD ["quarterdeck", "serve"]
