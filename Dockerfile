# The server as an image for linux/amd64 and linux/arm64; docs/container.md says how to build and run it.
# Both stages before the last run on the machine that builds, and the last one runs nothing: another platform's image needs
# no emulation. A glibc base is a must, as the native packages are built for glibc alone.
# Both are pinned by the digest of the tag's index, which holds every platform. To renew it, write the digest that
# `docker buildx imagetools inspect docker.io/library/node:22-bookworm-slim` shows here and in the other Dockerfile.
ARG BUILD_IMAGE=docker.io/library/node:22-bookworm-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392
ARG BASE_IMAGE=docker.io/library/node:22-bookworm-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392

# What says which packages are installed, apart from the sources: a change of these alone installs nothing anew.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS manifests
WORKDIR /sources
COPY . .
RUN mkdir /manifests && cp --parents package.json package-lock.json .npmrc */package.json /manifests

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY --from=manifests /manifests ./
COPY scripts scripts
# A registry of your own goes in as a secret, `--secret id=npmrc,src=$HOME/.npmrc`, and stays out of the image.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc node scripts/install.mjs
COPY . .
RUN node scripts/build.mjs && mkdir -p /empty/data /empty/models

FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS packages
ARG TARGETARCH
WORKDIR /app
COPY --from=manifests /manifests ./
COPY scripts scripts
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    cpu=$(echo "${TARGETARCH:-$(dpkg --print-architecture)}" | sed s/amd64/x64/) \
    && npm install --no-save --omit=dev --os=linux --libc=glibc --cpu="$cpu" \
    && node scripts/keep-runtime-packages.mjs "$cpu"

# The platform is the default and said for older builders, which keep that of the stage before.
FROM --platform=$TARGETPLATFORM ${BASE_IMAGE}
LABEL org.opencontainers.image.title="Steadyhand" \
      org.opencontainers.image.description="Computer-use agents as durable actors, and ONNX image models over HTTP" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY package.json LICENSE NOTICE ./
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/static static
# The user `node` of the base image, by number, so that a check for a user other than root can tell.
COPY --from=build --chown=1000:1000 /empty/data /data
COPY --from=build --chown=1000:1000 /empty/models /models
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 PORT=80 DATA_DIR=/data MODELS_DIR=/models
USER 1000:1000
# 80: server and image models; 8081: a worker's probes and figures.
EXPOSE 80 8081
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "dist/healthcheck.mjs"]
CMD ["node", "dist/main.mjs"]
