import { hash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { copyAll } from '../db/copy/copy.ts';
import { PostgresSide } from '../db/copy/postgres.ts';
import type { Origin, Side, Target } from '../db/copy/side.ts';
import { SqliteSide } from '../db/copy/sqlite.ts';
import { type Comparison, compareAll, isSame } from '../db/copy/verify.ts';
import { withoutPassword } from '../lib/url.ts';
import { canOpen, databaseFile, keyFile, readKey, writeKey } from './data.ts';
import { CommandError } from './records.ts';

/** Where data lie: a data folder, or a database of PostgreSQL. */
type Place = { folder: string } | { url: string };

/** What the operator asks for. */
export interface Asked {
  to: string;
  /** Where the settings say that the data are, if left out. */
  from?: string;
  /** Throws away what an unfinished move has copied. */
  restart?: boolean;
}

/** What a move has done. */
export interface Moved {
  /** True if every table is the same on both sides: the data can be used. */
  ok: boolean;
  from: string;
  to: string;
  /** Rows that this run has copied, and the seconds that it took in all. */
  copied: number;
  seconds: number;
  tables: Comparison[];
  /** The command that serves the data from their new place. */
  start: string;
}

/** Told what is being done; what ends with a line break is to stay on the terminal. */
export type TellStep = (step: string) => void;

/**
 * `palaver migrate`: copies everything between the engines, either way, and compares both sides. The source is only read,
 * and nobody else writes to it meanwhile. What was interrupted goes on where it stopped. Throws `CommandError` or
 * `StorageError` where it cannot be done.
 */
export async function migrate(config: Config, asked: Asked, tell: TellStep): Promise<Moved> {
  const start = performance.now();
  const from = asked.from === undefined ? placeOf(config) : parsePlace('--from', asked.from);
  const to = parsePlace('--to', asked.to);
  if (identityOf(from) === identityOf(to)) {
    throw new CommandError(
      `--to is where the data are already: name another place, or the source with --from`,
    );
  }
  const telling = (step: string) => (table: string, rows: number) => tell(`${step} ${table}: ${rows} rows`);
  const source = await openSource(from);
  try {
    tell(`${source.name} is held: nobody writes to it until this has ended\n`);
    const key = await keyOf(config, from, source);
    const target = await openTarget(to);
    try {
      const isThere = await isMoved(source, target);
      let copied = 0;
      if (!isThere) {
        await prepare(target, to, source, asked.restart ?? false, config.secretKey ? undefined : key);
        copied = await copyAll(source, target, telling('copying'));
      }
      const tables = await compareAll(source, target, telling('comparing'));
      const ok = tables.every(isSame);
      if (isThere && !ok) throw new CommandError(isFull(target.name));
      if (ok && !isThere) await target.finish();
      const seconds = (performance.now() - start) / 1000;
      return { ok, from: source.name, to: target.name, copied, seconds, tables, start: startOf(to) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** True if the target may be what an earlier run has made of the same data: then there is nothing to do but to compare. */
async function isMoved(source: Side, target: Target): Promise<boolean> {
  if ((await target.state()) !== 'full') return false;
  return (await originOf(source)).id === (await originOf(target)).id;
}

const isFull = (name: string): string => `${name} holds data: the target of a move has to be empty`;

/** Brings the target to where rows can be added: new, or as an earlier run has left it. */
async function prepare(
  target: Target,
  place: Place,
  source: Side,
  restart: boolean,
  key: Buffer | undefined,
): Promise<void> {
  const state = await target.state();
  const origin = await originOf(source);
  if (state === 'foreign') throw new CommandError(`${target.name} holds tables that are not Palaver's`);
  if (state === 'full') throw new CommandError(isFull(target.name));
  const isUnfinished = state !== 'empty';
  if (isUnfinished && !restart && state.id !== origin.id) {
    throw new CommandError(
      `${target.name} holds an unfinished move from other data (${state.name}): go on with that one, or throw it away with --restart`,
    );
  }
  // First of all: without it the secrets that follow are of no use.
  if ('folder' in place && key) giveKey(place.folder, key, isUnfinished && restart);
  if (isUnfinished && restart) await target.clear();
  if (!isUnfinished || restart) {
    const secretKey = key?.toString('base64url');
    await target.begin(origin, 'url' in place && secretKey ? { secretKey } : {});
  }
}

/** Writes the key's file. Throws where there is another, that something may need. */
function giveKey(folder: string, key: Buffer, replace: boolean): void {
  if (!replace && existsSync(keyFile(folder)) && !readKey(folder).equals(key)) {
    throw new CommandError(`${keyFile(folder)} is the key of other data: move it away`);
  }
  writeKey(folder, key, replace);
}

/** The key that encrypts apps' secrets; undefined where none was made yet. Throws where it does not open them. */
async function keyOf({ secretKey }: Config, place: Place, source: Side): Promise<Buffer | undefined> {
  const key = secretKey ? Buffer.from(secretKey, 'base64url') : await ownKey(place, source);
  const sealed = await source.sealed();
  if (sealed !== undefined && !(key && canOpen(key, sealed))) {
    throw new CommandError(
      `${secretKey ? 'PALAVER_SECRET_KEY' : 'the key beside the data'} does not open the secrets of apps in ${source.name}: set PALAVER_SECRET_KEY as it is where they are served`,
    );
  }
  return key;
}

async function ownKey(place: Place, source: Side): Promise<Buffer | undefined> {
  if ('folder' in place) return existsSync(keyFile(place.folder)) ? readKey(place.folder) : undefined;
  const text = await source.setting('secretKey');
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}

/** Data are known by the key of their cursors, which goes with them wherever they go. */
async function originOf(source: Side): Promise<Origin> {
  const cursorKey = (await source.setting('cursorKey')) ?? source.name;
  return { id: hash('sha256', `origin ${cursorKey}`, 'hex').slice(0, 32), name: source.name };
}

const placeOf = ({ database, data }: Config): Place => (database ? { url: database } : { folder: data });

/** Reads `postgres://…`, a folder, or `sqlite:` and a folder. Throws `CommandError`. */
function parsePlace(option: string, text: string): Place {
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

/** What two places that are one have in common. */
function identityOf(place: Place): string {
  if ('folder' in place) return existsSync(place.folder) ? realpathSync(place.folder) : place.folder;
  const { hostname, port, pathname } = new URL(place.url);
  return `${hostname}:${port || 5432}${pathname}`;
}

async function openSource(place: Place): Promise<Side> {
  if ('folder' in place) return SqliteSide.openSource(databaseFile(place.folder));
  return PostgresSide.openSource(place.url, withoutPassword(place.url));
}

async function openTarget(place: Place): Promise<Target> {
  if ('folder' in place) return SqliteSide.openTarget(databaseFile(place.folder));
  return PostgresSide.openTarget(place.url, withoutPassword(place.url));
}

const startOf = (place: Place): string =>
  'folder' in place
    ? `npx palaver start --data ${place.folder}`
    : `DATABASE_URL=${withoutPassword(place.url)} npx palaver start`;

/** What a move has done, for people. */
export function linesOf({ ok, tables, copied, seconds, start }: Moved): string[] {
  const line = (table: string, rows: unknown, checksum: string) =>
    `${table.padEnd(16)}${String(rows).padStart(12)}  ${checksum}`;
  const shown = tables.flatMap(({ table, source, target }) => {
    const ours = line(table, source.rows, source.checksum.slice(0, 16));
    if (isSame({ table, source, target })) return [ours];
    return [`${ours}  differs:`, line('', target.rows, target.checksum.slice(0, 16))];
  });
  const end = [
    '',
    `${copied} rows were copied in ${seconds.toFixed(1)} s. Every table is the same on both sides.`,
    `Start on the new data with: ${start}`,
  ];
  return [line('table', 'rows', 'checksum'), ...shown, ...(ok ? end : [])];
}

/** Throws where the sides differ: then the target is of no use. */
export function requireSame({ ok, tables, to }: Moved): void {
  if (ok) return;
  const names = tables.filter((table) => !isSame(table)).map(({ table }) => table);
  throw new CommandError(
    `${to} differs in ${names.join(', ')} and will not be served: if the source has changed since the move was begun, begin anew with --restart`,
  );
}
