import { hash } from 'node:crypto';
import type { Config } from '../../config.ts';
import { copyAll } from '../../db/copy/copy.ts';
import type { Origin, Side, Target } from '../../db/copy/side.ts';
import { compareAll, isSame } from '../../db/copy/verify.ts';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';
import { giveKey, keyOf } from './key.ts';
import { identityOf, openSource, openTarget, type Place, parsePlace, placeOf, startOf } from './place.ts';
import type { Moved } from './report.ts';

/** The options of the command. */
interface Asked {
  to: string;
  /** The place in the settings if left out. */
  from?: string;
  /** Throws away what an unfinished move has copied. */
  restart?: boolean;
}

/**
 * `palaver migrate`: copies everything between the engines, either way, and compares both sides. It only reads the
 * source, and keeps others from writing to it meanwhile. A move that was interrupted goes on where it stopped. Throws
 * `CommandError` or `StorageError`.
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

/** True if an earlier run has moved the same data to the target: both sides only need to be compared. */
async function isMoved(source: Side, target: Target): Promise<boolean> {
  if ((await target.state()) !== 'full') return false;
  return (await originOf(source)).id === (await originOf(target)).id;
}

const isFull = (name: string): string => `${name} holds data: the target of a move has to be empty`;

/** Makes the target ready for rows. Throws `CommandError` where it holds other data. */
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
  // Before the rows: the secrets among them are of no use without it.
  if ('folder' in place && key) giveKey(place.folder, key, isUnfinished && restart);
  if (isUnfinished && restart) await target.clear();
  if (!isUnfinished || restart) {
    const secretKey = key?.toString('base64url');
    await target.begin(origin, 'url' in place && secretKey ? { secretKey } : {});
  }
}

/** Identifies the data by the key of their cursors, which moves with them. */
async function originOf(source: Side): Promise<Origin> {
  const cursorKey = (await source.setting('cursorKey')) ?? source.name;
  return { id: hash('sha256', `origin ${cursorKey}`, 'hex').slice(0, 32), name: source.name };
}
