import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { CONNECTIONS, type Figures, generate, generator, type Load } from './load.ts';

/** `--quick`: fewer and shorter rounds. */
export const quick = process.argv.includes('--quick');
export const ROUNDS = quick ? 3 : 5;
export const SECONDS = quick ? 2 : 5;
/** The number of messages in the large and the small channel that pages are read from. */
export const LARGE = quick ? 50_000 : 1_000_000;
export const SMALL = 10_000;

/** The content of every message sent. */
export const CONTENT = 'The quick brown fox jumps over the lazy dog while people talk';

export const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** The smallest value that is at least as large as this fraction of all values. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

/** The argument that follows an option on the command line. Undefined without the option. */
export function optionOf(name: string): string | undefined {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
}

interface Row {
  figure: string;
  value: string;
  goal: string;
  verdict: 'met' | 'missed' | '';
}
const rows: Row[] = [];
export const say = (text: string) => process.stdout.write(`${text}\n`);

/** Adds a figure to the table. */
export function report(
  figure: string,
  value: number,
  unit: string,
  goal: string,
  reached: boolean,
  detail = '',
): void {
  const row: Row = {
    ...{ figure, value: `${value.toFixed(2)}${unit}${detail}`, goal },
    verdict: reached ? 'met' : 'missed',
  };
  rows.push(row);
  say(`${reached ? 'met    ' : 'MISSED '}  ${figure}: ${row.value} (goal ${goal})`);
}

/** Adds a figure without a goal, for comparison. */
export function note(figure: string, value: number, unit: string): void {
  const row: Row = { figure, value: `${value.toFixed(2)}${unit}`, goal: '', verdict: '' };
  rows.push(row);
  say(`         ${figure}: ${row.value}`);
}

/** Like `report`, with the machine's load average. */
export const reportWithLoad = (
  figure: string,
  value: number,
  unit: string,
  goal: string,
  reached: boolean,
  detail = '',
): void => report(figure, value, unit, goal, reached, `${detail}, load ${loadavg()[0]?.toFixed(1)}`);

type Measure = (seconds: number) => Promise<Figures>;

/** Measures all sides alternately, each after a one-second warm-up, and returns the figures for each side. */
export async function inTurn<S extends readonly Measure[]>(
  ...sides: S
): Promise<{ [I in keyof S]: Figures[] }> {
  const results: Figures[][] = sides.map(() => []);
  for (const measure of sides) await measure(1);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [side, measure] of sides.entries()) results[side]?.push(await measure(SECONDS));
  }
  for (const { failed } of results.flat()) if (failed > 0) throw new Error(`${failed} requests failed`);
  return results as { [I in keyof S]: Figures[] };
}

/** Measures loads alternately. See `inTurn`. */
export const alternate = <S extends readonly Load[]>(...loads: S): Promise<{ [I in keyof S]: Figures[] }> =>
  inTurn(...loads.map((load) => (seconds: number) => generate(load, seconds))) as Promise<{
    [I in keyof S]: Figures[];
  }>;

/** The median of the ratios of all rounds. */
export const ratio = (a: Figures[], b: Figures[]): number =>
  median(a.map(({ rate }, round) => rate / (b[round] as Figures).rate));
export const perSecond = (figures: Figures[]): string =>
  Math.round(median(figures.map(({ rate }) => rate))).toLocaleString('en');

/** Prints the table and, except in a quick run, saves it as a section of results.md. */
export function publish(title: string, store: string): void {
  keep(title, [
    `${machine}, ${store}, ${generator}, ${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} s.`,
    '',
    '| Figure | Measured | Goal | |',
    '|---|---|---|---|',
    ...rows.map(({ figure, value, goal, verdict }) => `| ${figure} | ${value} | ${goal} | ${verdict} |`),
  ]);
}

/** The date, the CPU model and the Node version. */
export const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.versions.node}`;

/** Prints lines and, except in a quick run, replaces the section with this title in results.md. */
export function keep(title: string, lines: readonly string[]): void {
  const section = [`## ${title}`, '', ...lines, ''].join('\n');
  say(`\n${section}`);
  if (quick) return;
  const file = join(import.meta.dirname, 'results.md');
  const [first = '', ...sections] = readFileSync(file, 'utf8').split(/^(?=## )/m);
  const index = sections.findIndex((other) => other.startsWith(`## ${title}\n`));
  sections.splice(index < 0 ? sections.length : index, 1, section);
  writeFileSync(file, [first, ...sections].map((part) => `${part.trimEnd()}\n`).join('\n'));
}
