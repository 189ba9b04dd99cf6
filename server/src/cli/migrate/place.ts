import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../config.ts';
import { PostgresSide } from '../../db/copy/postgres.ts';
import type { Side, Target } from '../../db/copy/side.ts';
import { SqliteSide } from '../../db/copy/sqlite.ts';
import { withoutPassword } from '../../lib/url.ts';
import { databaseFile } from '../../node/data.ts';
import { CommandError } from '../commandError.ts';

/** Where data lie: a data folder, or a database of PostgreSQL. */
export type Place = { folder: string } | { url: string };

/** Where the settings say that the data are. */
export const placeOf = ({ database, data }: Config): Place =>
  database ? { url: database } : { folder: data };

/** Reads `postgres://…`, a folder, or `sqlite:` and a folder. Throws `CommandError`. */
export function parsePlace(option: string, text: string): Place {
  if (/^postgres(ql)?:/i.test(text)) {
    if (!URL.canParse(text)) throw new CommandError(`${option} is no URL`);
    return { url: text };
  }
  const path = text.replace(/^sqlite:(\/\/(?=\/))?/, '');
  if (path === '' || /^[a-z]+:\/\//i.test(path)) {
    throw new CommandError(`${option} must be postgres://… or a data folder`);
  }
  const folder = resolve(path);
  if (existsSync(folder) && !statSync(folder).isDirectory()) {
    throw new CommandError(`${option}: ${folder} is no folder`);
  }
  return { folder };
}

/** The same for two places that are one, however they are written. */
export function identityOf(place: Place): string {
  if ('folder' in place) return existsSync(place.folder) ? realpathSync(place.folder) : place.folder;
  const { hostname, port, pathname } = new URL(place.url);
  return `${hostname}:${port || 5432}${pathname}`;
}

export async function openSource(place: Place): Promise<Side> {
  if ('folder' in place) return SqliteSide.openSource(databaseFile(place.folder));
  return PostgresSide.openSource(place.url, withoutPassword(place.url));
}

export async function openTarget(place: Place): Promise<Target> {
  if ('folder' in place) return SqliteSide.openTarget(databaseFile(place.folder));
  return PostgresSide.openTarget(place.url, withoutPassword(place.url));
}

/** The command that serves the data there. */
export const startOf = (place: Place): string =>
  'folder' in place
    ? `npx palaver start --data ${place.folder}`
    : `DATABASE_URL=${withoutPassword(place.url)} npx palaver start`;
