#!/bin/sh
# Creates Temporal's two databases, or brings their schema to this server's version. Safe to repeat.
# Runs in temporalio/admin-tools. SQL_PASSWORD holds the password.
set -eu

for database in temporal temporal_visibility; do
  case "$database" in
    temporal) schema=temporal ;;
    *) schema=visibility ;;
  esac
  sql() {
    temporal-sql-tool --plugin postgres12 --ep "$SQL_HOST" -p "${SQL_PORT:-5432}" -u "$SQL_USER" --db "$database" "$@"
  }
  sql create
  sql setup-schema -v 0.0
  sql update-schema -d "${SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}/$schema/versioned"
  [ "$schema" != visibility ] || sql setup-schema --disable-versioning --schema-file "$(dirname "$0")/partial-indexes.sql"
done
echo 'The schema is current.'
