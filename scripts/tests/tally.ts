import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Coverage } from './coverage.ts';
import type { Result } from './job.ts';
import type { Engine } from './suites.ts';

export const say = (text: string): void => void process.stdout.write(text);

/** The results of a run. Prints each result as soon as it is known. */
export class Tally {
  passed = 0;
  failed = 0;
  /** Everything that failed, printed at the end. */
  readonly #failures: string[] = [];
  /** Skipped tests and suites that could not run, each with the reason. */
  readonly skipped: string[] = [];
  /** Files that failed in parallel but passed alone. */
  readonly flaky: string[] = [];

  add(name: string, ended: Pick<Result, 'passed' | 'failed'>, seconds: number, cpu = 0): void {
    this.passed += ended.passed;
    this.failed += ended.failed;
    const words =
      ended.failed > 0 ? `${ended.passed} passed, ${ended.failed} failed` : `${ended.passed} passed`;
    const line = `${name}, ${words}, ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s`;
    if (ended.failed > 0) this.#failures.push(line);
    say(`${ended.failed > 0 ? 'FAILED' : 'ok'}  ${line}\n`);
  }

  /** Reports a failure that does not belong to a test. */
  fail(line: string): void {
    this.failed++;
    this.#failures.push(line);
  }

  /** Compares an engine's coverage with its gate, and writes the lines that no test has run to a file. */
  addCoverage(root: string, engine: Engine, coverage: Coverage, { least, what }: Gate): void {
    const file = join('coverage', `${engine}.txt`);
    mkdirSync(join(root, 'coverage'), { recursive: true });
    writeFileSync(
      join(root, file),
      coverage
        .missed()
        .map((line) => `${line}\n`)
        .join(''),
    );
    const percent = coverage.percent;
    const line = `coverage of ${what}: ${percent.toFixed(2)} % of lines, required ${least} %; uncovered lines are in ${file}`;
    if (percent >= least) this.passed++;
    else this.fail(line);
    say(`${percent >= least ? 'ok' : 'FAILED'}  ${line}\n`);
  }

  /** Prints the summary. The last line contains only the counts. */
  end(cpu: number): void {
    if (this.skipped.length > 0) say(`skipped: ${this.skipped.join('; ')}\n`);
    for (const name of this.flaky) say(`flaky: failed in parallel, passed alone  ${name}\n`);
    for (const failure of this.#failures) say(`FAILED  ${failure}\n`);
    if (cpu > 0) say(`CPU ${cpu.toFixed()} s in total\n`);
    say(`${this.passed} passed, ${this.failed} failed\n`);
    if (this.failed > 0) process.exitCode = 1;
  }
}

/** A coverage gate: the code that an engine's suites must cover, and the minimum percentage of its lines. */
export interface Gate {
  least: number;
  what: string;
  includes(file: string): boolean;
}

export const gates: Record<Engine, Gate> = {
  sqlite: {
    least: 95,
    what: 'server/src on the embedded engine',
    includes: (file) => file.startsWith('server/src/') && !file.startsWith('server/src/db/postgres/'),
  },
  postgres: {
    least: 90,
    what: 'server/src/db/postgres',
    includes: (file) => file.startsWith('server/src/db/postgres/'),
  },
};
