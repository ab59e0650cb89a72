FROM node:20-slim AS client
WORKDIR /build
COPY web web
COPY src src
RUN cd web && npm install --no-save && npm run build

FROM python:3.11-slim
WORKDIR /app
COPY requirements.txt pyproject.toml README.md LICENSE ./
COPY --from=client /build/src src
RUN pip install --no-cache-dir --requirement requirements.txt \
    && pip install --no-cache-dir --no-deps --no-build-isolation . \
    && useradd --create-home --uid 1000 quarterdeck && install -d -o quarterdeck /data
USER quarterdeck
ENV QUARTERDECK_HOST=0.0.0.0 QUARTERDECK_DATA=/data
# compiled rules belong to the image, so that the first game starts at once
RUN quarterdeck simulate skull-king --games 1
VOLUME /data
EXPOSE 8000
CMD ["quarterdeck", "serve"]
