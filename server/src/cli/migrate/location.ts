import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isSea } from 'node:sea';
import type { Config } from '../../config.ts';
import { PostgresSide } from '../../db/copy/postgres.ts';
import type { Side, Target } from '../../db/copy/side.ts';
import { SqliteSide } from '../../db/copy/sqlite.ts';
import { withoutPassword } from '../../lib/url.ts';
import { databaseFile } from '../../node/data.ts';
import { CommandError } from '../commandError.ts';

/** The location of data: a data folder, or a PostgreSQL URL. */
export type DataLocation = { folder: string } | { url: string };

/** Returns the location of the data, according to the settings. */
export const locationOf = ({ database, data }: Config): DataLocation =>
  database ? { url: database } : { folder: data };

/** Parses `postgres://…`, a folder, or `sqlite:` followed by a folder. Throws CommandError. */
export function parseLocation(option: string, text: string): DataLocation {
  if (/^postgres(ql)?:/i.test(text)) {
    if (!URL.canParse(text)) throw new CommandError(`${option} is not a valid URL`);
    return { url: text };
  }
  const path = text.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (path === '' || /^[a-z]+:\/\//i.test(path)) {
    throw new CommandError(`${option} must be postgres://… or a data folder`);
  }
  const folder = resolve(path);
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new CommandError(`${option}: ${folder} is not a folder`);
  }
  return { folder };
}

/** Identifies a location: the real path of a folder, or the host, port and database of a URL. */
export function identityOf(place: DataLocation): string {
  if ('folder' in place) return existsSync(place.folder) ? realpathSync(place.folder) : place.folder;
  const { hostname, port, pathname } = new URL(place.url);
  return `${hostname}:${port || 5432}${pathname}`;
}

export async function openSource(place: DataLocation): Promise<Side> {
  if ('folder' in place) return SqliteSide.openSource(databaseFile(place.folder));
  return PostgresSide.openSource(place.url, withoutPassword(place.url));
}

export async function openTarget(place: DataLocation): Promise<Target> {
  if ('folder' in place) return SqliteSide.openTarget(databaseFile(place.folder));
  return PostgresSide.openTarget(place.url, withoutPassword(place.url));
}

/** Returns the command that starts a server with the data at a location, as the operator would type it. */
export function startOf(place: DataLocation): string {
  const start = `${isSea() ? process.argv0 : 'npx palaver'} start`;
  return 'folder' in place
    ? `${start} --data ${place.folder}`
    : `DATABASE_URL=${withoutPassword(place.url)} ${start}`;
}
