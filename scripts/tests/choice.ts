import { join } from 'node:path';
import type { Options } from './options.ts';
import { Records, snapshotOf } from './records.ts';
import { Selection } from './select.ts';
import { type Engine, type Planned, planned, suites, type Times } from './suites.ts';

/** What a run consists of. */
export interface Choice {
  engines: readonly Engine[];
  jobs: Planned[];
  /** Every file on every engine: coverage is counted. */
  isWhole: boolean;
  /** Says how many files run, and why. */
  why: string;
  records: Records;
  /** The name of the snapshot of all files at the start of the run. */
  at: string;
}

const isNamed = (file: string, names: readonly string[]) =>
  names.length === 0 || names.some((name) => file.startsWith(name));

/** Chooses the files of a run: those that were named; all of them; or those that changes have affected since they passed. */
export function choose(root: string, { names, all, engine }: Options): Choice {
  const records = new Records(join(root, 'node_modules', '.cache', 'palaver', 'tests.json'));
  const now = snapshotOf(root);
  const on = (one: Engine) =>
    suites
      .filter(({ file, engines }) => engines.includes(one) && isNamed(file, names))
      .map(({ file }) => file);
  const embedded = on('sqlite').length > 0 ? 'sqlite' : 'postgres';
  const engines: readonly Engine[] = engine
    ? [engine]
    : names.length > 0
      ? [embedded]
      : ['sqlite', 'postgres'];
  const every = engines.flatMap((one) => on(one).map((file) => ({ engine: one, file })));
  if (every.length === 0)
    throw new Error(`there are no tests like ${names.join(', ')} for ${engines.join()}`);
  const isAsked = names.length > 0 || all;
  const selection = new Selection(root, records, now);
  const reasons = every.map((one) => ({
    ...one,
    reason: isAsked ? 'it was asked for' : selection.reasonFor(one.engine, one.file),
  }));
  const chosen = reasons.filter(({ reason }) => reason !== undefined);
  const times: Times = (one, file) => records.get(`${one} ${file}`);
  const jobs = engines.flatMap((one) =>
    planned(
      one,
      chosen.filter((each) => each.engine === one).map(({ file }) => file),
      times,
    ),
  );
  return {
    engines,
    jobs: jobs.sort((one, other) => other.cpu - one.cpu),
    isWhole: names.length === 0 && engine === undefined && chosen.length === every.length,
    why: isAsked
      ? `${every.length} test files`
      : wordsOf(
          chosen.map(({ reason }) => reason as string),
          every.length,
        ),
    records,
    at: records.addSnapshot(now),
  };
}

/** More reasons than these are not printed one by one. */
const MOST_REASONS = 8;

/** Says how many files run for which reason. */
function wordsOf(reasons: readonly string[], all: number): string {
  if (reasons.length === 0)
    return `none of ${all} test files: nothing that they depend on has changed since they passed`;
  const counts = Map.groupBy(reasons, (reason) => reason);
  const sorted = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  const lines = sorted
    .slice(0, MOST_REASONS)
    .map(([reason, { length }]) => `  ${length === 1 ? '1 file' : `${length} files`}: ${reason}`);
  if (sorted.length > MOST_REASONS) lines.push(`  and ${sorted.length - MOST_REASONS} more changes`);
  return [`${reasons.length} of ${all} test files (npm test -- --all runs them all)`, ...lines].join('\n');
}
