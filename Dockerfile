# The files of the Debian package, on a base that has glibc, libstdc++ and a shell. "npm run release:build" makes the image without an
# engine, on a base of its own; with an engine:
#   mkdir release/built/state && dpkg-deb --extract release/built/transactions_*_amd64.deb release/built/root && docker build --tag transactions .
ARG BASE=debian:bookworm-slim
FROM ${BASE}
COPY release/built/root/ /
# Only root and the group can read it, as it can have passwords.
COPY --chown=0:1000 release/built/root/etc/transactions/ /etc/transactions/
# The only folder that the service writes to, and only with SQLite. A new volume gets the owner of the folder, which is empty.
COPY --chown=1000:1000 release/built/state/ /var/lib/transactions/
# The file of the settings is named, so that one that can't be read ends the start. It has the address of the database, which a variable
# of the image would replace.
ENV HOST=0.0.0.0 PORT=3000 ENV_FILE=/etc/transactions/transactions.env
WORKDIR /var/lib/transactions
USER 1000:1000
VOLUME /var/lib/transactions
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/usr/lib/transactions/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title=transactions \
  org.opencontainers.image.description="Stores the transactions of accounts and lists them over HTTP" \
  org.opencontainers.image.licenses=MIT \
  org.opencontainers.image.documentation=/usr/share/doc/transactions/docs/operating.md \
  org.opencontainers.image.version=${VERSION} \
  org.opencontainers.image.revision=${REVISION}
ENTRYPOINT ["/usr/bin/transactions"]
CMD ["serve"]
