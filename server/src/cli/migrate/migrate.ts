import { hash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { copyAll } from '../../db/copy/copy.ts';
import type { Origin, Side, Target } from '../../db/copy/side.ts';
import { compareAll, isSame } from '../../db/copy/verify.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { secretKeysText } from '../../lib/secretKeys.ts';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';
import { copyFiles } from './copyFiles.ts';
import { giveKeys, keysOf } from './key.ts';
import {
  type DataLocation,
  identityOf,
  locationOf,
  openSource,
  openTarget,
  parseLocation,
  startOf,
} from './location.ts';
import type { Moved } from './report.ts';

/** The options of `palaver migrate`. */
interface MigrateOptions {
  to: string;
  /** Defaults to the location in the settings. */
  from?: string;
  /** Discards the copy from an unfinished move. */
  restart?: boolean;
}

/**
 * `palaver migrate`: copies all data from one engine to the other, in either direction, and compares both
 * sides. It only reads from the source, which is locked against writes during the move. If it is interrupted,
 * running it again continues. Throws CommandError or StorageError.
 */
export async function migrate(config: Config, options: MigrateOptions, tell: TellStep): Promise<Moved> {
  const start = performance.now();
  const from = options.from === undefined ? locationOf(config) : parseLocation('--from', options.from);
  const to = parseLocation('--to', options.to);
  if (identityOf(from) === identityOf(to)) {
    throw new CommandError(`the data is already at --to: pass another target, or the source with --from`);
  }
  const telling = (step: string) => (table: string, rows: number) => tell(`${step} ${table}: ${rows} rows`);
  const source = await openSource(from);
  try {
    tell(`${source.name} is read-only until the move ends\n`);
    const keys = await keysOf(config, from, source);
    const target = await openTarget(to);
    try {
      const wasMoved = await isMoved(source, target);
      let copied = 0;
      if (!wasMoved) {
        await prepare(target, to, source, options.restart ?? false, config.secretKey ? undefined : keys);
        copied = await copyAll(source, target, telling('copying'));
      }
      copyFiles(config, from, to, tell);
      const tables = await compareAll(source, target, telling('comparing'));
      const ok = tables.every(isSame);
      if (wasMoved && !ok) throw new CommandError(isFull(target.name));
      if (ok && !wasMoved) await target.finish();
      const seconds = (performance.now() - start) / 1000;
      return { ok, from: source.name, to: target.name, copied, seconds, tables, start: startOf(to) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/**
 * Whether an earlier run has already moved this data to the target. Both sides then only need to be compared.
 */
async function isMoved(source: Side, target: Target): Promise<boolean> {
  if ((await target.state()) !== 'full') return false;
  return (await originOf(source)).id === (await originOf(target)).id;
}

const isFull = (name: string): string => `${name} has data: the target must be empty`;

/**
 * Prepares the target for copying: creates the schema, or checks an unfinished copy. Throws CommandError if
 * it contains other data.
 */
async function prepare(
  target: Target,
  place: DataLocation,
  source: Side,
  restart: boolean,
  keys: SecretKeys | undefined,
): Promise<void> {
  const state = await target.state();
  const origin = await originOf(source);
  if (state === 'foreign')
    throw new CommandError(`${target.name} contains tables of another program: pass an empty target`);
  if (state === 'full') throw new CommandError(isFull(target.name));
  const isUnfinished = state !== 'empty';
  if (isUnfinished && !restart && state.id !== origin.id) {
    throw new CommandError(
      `${target.name} has an unfinished copy of other data (${state.name}): continue that move, or discard it with --restart`,
    );
  }
  // The keys come before the rows, because encrypted secrets are useless without them.
  if ('folder' in place && keys) giveKeys(place.folder, keys, isUnfinished && restart);
  if (isUnfinished && restart) await target.clear();
  if (!isUnfinished || restart) {
    const secretKey = keys && secretKeysText(keys);
    await target.begin(origin, 'url' in place && secretKey ? { secretKey } : {});
  }
}

/** Identifies the data by its cursor key, which is copied along with it. */
async function originOf(source: Side): Promise<Origin> {
  const cursorKey = (await source.setting('cursorKey')) ?? source.name;
  return { id: hash('sha256', `origin ${cursorKey}`, 'hex').slice(0, 32), name: source.name };
}
