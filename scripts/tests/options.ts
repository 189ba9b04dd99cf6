import type { Engine } from './suites.ts';

/** The options of `npm test`. */
export interface Options {
  /** Path prefixes below test/. Empty for all files affected by changes. */
  names: readonly string[];
  /** Runs every file, regardless of changes. */
  all: boolean;
  /** How many times each file runs. */
  repeat: number;
  /** Runs two processes that hog the CPU in parallel with the tests. */
  hog: boolean;
  /** The requested engine. */
  engine: Engine | undefined;
}

/** Parses the command line and the environment. If they are invalid, throws an Error with a message for the user. */
export function optionsOf(args: readonly string[], environment: NodeJS.ProcessEnv): Options {
  const rest = [...args];
  const taken = (name: string, count: number) => {
    const at = rest.indexOf(name);
    return at === -1 ? undefined : rest.splice(at, count);
  };
  const repeated = taken('--repeat', 2);
  const [all, hog] = [taken('--all', 1) !== undefined, taken('--hog', 1) !== undefined];
  const repeat = Number(repeated?.[1] ?? 1);
  const unknown = rest.find((name) => name.startsWith('-'));
  if (unknown !== undefined)
    throw new Error(`unknown option ${unknown}: npm test has --all, --repeat and --hog`);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new Error('--repeat needs a number of runs: --repeat 20');
  const names = rest.map((name) => name.replace(/^test\//, ''));
  if (repeated && names.length === 0) throw new Error('--repeat needs the files to run');
  const engine = environment.PALAVER_TEST_ENGINE as Engine | undefined;
  return { names, all: all || Boolean(environment.CI), repeat, hog, engine };
}
