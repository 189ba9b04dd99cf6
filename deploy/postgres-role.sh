#!/bin/sh
# Creates the nodes' role and database. The PostgreSQL image runs this once, when it creates its data folder. The role is
# not a superuser. Afterwards, the superuser has no password, so nobody can sign in as superuser over the network.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
create role palaver login password :'password';
create database palaver owner palaver encoding 'UTF8' template template0;
alter role current_user password null;
SQL
