#!/bin/sh
# Makes Temporal's databases, where they are not there, and brings them to the schema of this image's version.
set -eu
for part in temporal:temporal temporal_visibility:visibility; do
	export SQL_DATABASE="${part%:*}"
	# A failure here is one of the next step's, too, unless it is that they are there already.
	temporal-sql-tool create-database || true
	temporal-sql-tool setup-schema -v 0.0 || true
	temporal-sql-tool update-schema -d "/etc/temporal/schema/postgresql/v12/${part#*:}/versioned"
done
