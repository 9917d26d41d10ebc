#!/bin/sh
# Makes Temporal's databases, where they are not there, and brings them to the schema of this image's version.
set -eu
for part in temporal:temporal temporal_visibility:visibility; do
	export SQL_DATABASE="${part%:*}"
	# Each of these is nothing where it was done before.
	temporal-sql-tool create-database
	temporal-sql-tool setup-schema -v 0.0
	temporal-sql-tool update-schema --schema-name "postgresql/v12/${part#*:}"
done
