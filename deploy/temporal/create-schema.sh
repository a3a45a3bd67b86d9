#!/bin/sh
# Creates Temporal's two databases, or brings their schema to this server's version. Safe to repeat.
# Runs in temporalio/admin-tools. SQL_PASSWORD holds the password.
set -eu

# The first argument is the database, the others are for the tool.
sql() {
  database=$1
  shift
  temporal-sql-tool --plugin postgres12 --ep "$SQL_HOST" -p "${SQL_PORT:-5432}" -u "$SQL_USER" --db "$database" "$@"
}
# Arguments: the database, and the folder of its schema.
bring_to_version() {
  sql "$1" create
  sql "$1" setup-schema -v 0.0
  sql "$1" update-schema -d "${SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}/$2/versioned"
}

bring_to_version temporal temporal
bring_to_version temporal_visibility visibility
sql temporal_visibility setup-schema --disable-versioning --schema-file "$(dirname "$0")/partial-indexes.sql"
echo 'The schema is current.'
