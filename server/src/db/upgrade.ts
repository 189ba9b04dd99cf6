import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from './contract.ts';
import type { Migration } from './migrate.ts';
import { schemaVersion } from './version.ts';

/** How long a migration waits for incompatible nodes to stop. */
const WAIT_MS = 60_000;
const LOOK_MS = 500;
const REPORT_MS = 5_000;

/** A process that serves the data. */
export interface ServingNode {
  /** The machine and process, described for an operator. */
  name: string;
  /** The newest schema that the process supports; 0 for versions that do not publish it. */
  schema: number;
}

/** A callback that receives the progress of a long operation, as one line. */
export type Report = (line: string) => void;

export interface UpgradeOptions {
  /** Receives a line every few seconds while the migration waits. */
  report?: Report | undefined;
  /** How long to wait, in milliseconds; a minute by default. */
  waitMs?: number | undefined;
}

/**
 * Returns the minimum schema that a process must support to keep working after these migrations; 0 if there
 * is no minimum.
 */
export const schemaNeededBy = (migrations: readonly Migration[]): number =>
  Math.max(0, ...migrations.filter((each) => !each.isBackwardCompatible).map(({ version }) => version));

/**
 * Waits until every process that serves the data supports the schema `needed`. Throws `StorageError` with the
 * names of the outdated processes after `waitMs`.
 */
export async function waitForOlderNodes(
  needed: number,
  serving: () => Promise<ServingNode[]>,
  { report = () => {}, waitMs = WAIT_MS }: UpgradeOptions,
): Promise<void> {
  const until = performance.now() + waitMs;
  let reportAt = 0;
  for (;;) {
    const older = (await serving()).filter(({ schema }) => schema < needed);
    if (older.length === 0) return;
    const names = older.map(nameOf).join(', ');
    const left = until - performance.now();
    if (left <= 0)
      throw new StorageError(
        `this version changes the database in a way that the running nodes do not support: stop them, then start again (${names})`,
      );
    if (performance.now() >= reportAt) {
      report(
        `waiting up to ${Math.ceil(left / 1000)} s for nodes of an older version to stop before the database is migrated: ${names}`,
      );
      reportAt = performance.now() + REPORT_MS;
    }
    await sleep(Math.min(LOOK_MS, Math.max(1, left)));
  }
}

const nameOf = ({ name, schema }: ServingNode): string =>
  schema > 0 ? `${name}, schema ${schema}` : `${name}, schema unknown`;

/** Detects when a newer version has migrated the schema and this version may no longer use it. */
export class Outdated {
  /** The reason why this process may no longer use the data; empty if it may. */
  reason = '';
  #tell: (reason: string) => void = () => {};

  /** Sets the callback that runs once the schema is too new, or immediately if it already is. */
  onChange(tell: (reason: string) => void): void {
    this.#tell = tell;
    if (this.reason !== '') tell(this.reason);
  }

  /** @param needed The minimum schema that processes must support, as stored in the database. */
  see(needed: number): void {
    if (needed <= schemaVersion || this.reason !== '') return;
    this.reason = `a newer version of Palaver has migrated the database (it needs schema ${needed}; this version supports up to ${schemaVersion}): upgrade this node`;
    this.#tell(this.reason);
  }
}
