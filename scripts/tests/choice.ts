import { join } from 'node:path';
import type { Options } from './options.ts';
import { Records, snapshotOf } from './records.ts';
import { Selection } from './select.ts';
import { type Engine, type Planned, planned, suites, type Times } from './suites.ts';

/** The test files to run, and why. */
export interface Choice {
  engines: readonly Engine[];
  jobs: Planned[];
  /** True if every file runs on every engine. Coverage is measured only then. */
  isWhole: boolean;
  /** A sentence for the log: the number of files to run, and the reasons. */
  why: string;
  records: Records;
  /** The name of the snapshot of all files at the start of the run. */
  at: string;
}

/**
 * The test files to choose from, each with the engines it runs on. If files were named without an engine, each
 * runs on one engine, preferably the embedded one. Throws an Error for a name that matches no file.
 */
function filesFor({ names, engine }: Options): { engine: Engine; file: string }[] {
  const unknown = names.filter((name) => !suites.some(({ file }) => file.startsWith(name)));
  if (unknown.length > 0) throw new Error(`no test file starts with ${unknown.join(', ')}`);
  const enginesOf = (its: readonly Engine[]) => {
    if (engine) return its.filter((one) => one === engine);
    if (names.length === 0) return its;
    return its.includes('sqlite') ? (['sqlite'] as const) : its.slice(0, 1);
  };
  const files = suites
    .filter(({ file }) => names.length === 0 || names.some((name) => file.startsWith(name)))
    .flatMap(({ file, engines }) => enginesOf(engines).map((one) => ({ engine: one, file })));
  if (files.length === 0) throw new Error(`${names.join(', ')} has no tests for ${engine}`);
  return files;
}

/** Chooses the files to run: those named, all, or those affected by changes since they last passed. */
export function choose(root: string, options: Options): Choice {
  const { names, all, engine } = options;
  const records = new Records(join(root, 'node_modules', '.cache', 'palaver', 'tests.json'));
  const now = snapshotOf(root);
  const every = filesFor(options);
  const engines = [...new Set(every.map((one) => one.engine))];
  const isAsked = names.length > 0 || all;
  const selection = new Selection(root, records, now);
  const reasons = every.map((one) => ({
    ...one,
    reason: isAsked ? 'it was named' : selection.reasonFor(one.engine, one.file),
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

/** The maximum number of reasons printed one by one. Further reasons are only counted. */
const MOST_REASONS = 8;

/** Summarizes how many files run for which reason. */
function wordsOf(reasons: readonly string[], all: number): string {
  if (reasons.length === 0)
    return `none of ${all} test files: their dependencies have not changed since they passed`;
  const counts = Map.groupBy(reasons, (reason) => reason);
  const sorted = [...counts].toSorted(([, one], [, other]) => other.length - one.length);
  const lines = sorted
    .slice(0, MOST_REASONS)
    .map(([reason, { length }]) => `  ${length === 1 ? '1 file' : `${length} files`}: ${reason}`);
  if (sorted.length > MOST_REASONS) lines.push(`  and ${sorted.length - MOST_REASONS} more changes`);
  return [`${reasons.length} of ${all} test files (npm test -- --all runs all of them)`, ...lines].join('\n');
}
