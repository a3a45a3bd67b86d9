# One image for every role. The command names it: api, worker, or all.
#   docker run … everpost node dist/src/main.js worker

# Node 24 gets security fixes until April 2028. Debian, not Alpine: Temporal's SDK has a native part that needs glibc.
# By digest, so that each build starts from the same bytes. For a newer one:
#   docker buildx imagetools inspect node:24-bookworm-slim
ARG NODE_IMAGE=node:24.18.1-bookworm-slim@sha256:235600a8101ab264e117b1768e925532262668dc9b581ef1dd7d96ced463b8e7

FROM ${NODE_IMAGE} AS build
WORKDIR /app
# A package of the API viewer would report the install to its vendor.
ENV CI=true SCARF_ANALYTICS=false
COPY package.json package-lock.json .npmrc ./
# Workspaces of the lock file; the image needs nothing more of them.
COPY client/package.json client/
COPY packages/listen/package.json packages/listen/
RUN npm ci --no-audit --no-fund
COPY bootstrap bootstrap
COPY tsconfig.json tsconfig.build.json ./
COPY src src
COPY workflows workflows
COPY activities activities
COPY dashboard dashboard
# The guides at /guides are written from them.
COPY README.md SECURITY.md ./
COPY docs docs
COPY examples examples
COPY client/README.md client/
COPY packages/listen/README.md packages/listen/
COPY packages/python/README.md packages/python/
RUN npm run build && npm prune --omit=dev --no-audit --no-fund
# Temporal's SDK brings its native part for five platforms, 109 of 138 MB for others, and its source.
RUN find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -rf {} + \
 && rm -rf node_modules/@temporalio/core-bridge/sdk-core \
 && node -e "require('@temporalio/core-bridge')"
# The workflows are bundled: their compiler has no work here. Of OpenTelemetry's three copies, Node reads one.
RUN rm -rf node_modules/@swc/core-* \
 && find node_modules/@opentelemetry -type d \( -path '*/build/esm' -o -path '*/build/esnext' \) -prune -exec rm -rf {} +
# What only a compiler or a debugger reads, and the links to the workspaces.
RUN find dist node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
    -o -name '.tsbuildinfo' \) -delete \
 && rm node_modules/everpost-*

FROM ${NODE_IMAGE}
# Temporal's native client trusts the system's certificates; Node brings its own. Their version isn't pinned, because Debian
# keeps only the newest.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 METRICS_PORT=9464
COPY package.json LICENSE ./
COPY bootstrap/everpost.js bootstrap/
COPY deploy/docker deploy/docker
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# The operator's command: docker compose exec api everpost …
RUN ln -s /app/bootstrap/everpost.js /usr/local/bin/everpost
# A number, so that an orchestrator can see that it is not root: the user `node` of the image.
USER 1000:1000
EXPOSE 8080 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "deploy/docker/healthcheck.js"]
STOPSIGNAL SIGTERM
CMD ["node", "dist/src/main.js", "all"]
