#!/bin/sh
# Runs once, when the image of PostgreSQL creates its data folder: creates the role and the database of the nodes.
# The role is no superuser. The superuser has no password afterwards, so nobody can sign in as it over the network.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role palaver login password :'password';
create database palaver owner palaver encoding 'UTF8' template template0;
alter role current_user password null;
SQL
