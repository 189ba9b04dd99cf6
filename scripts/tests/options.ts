import type { Engine } from './suites.ts';

/** What `npm test` was asked for. */
export interface Options {
  /** The beginnings of paths under test/; none for all files that changes affect. */
  names: readonly string[];
  /** Every file, whatever has changed. */
  all: boolean;
  /** How often each file runs. */
  repeat: number;
  /** Two processes take all CPU that they get, beside the tests. */
  hog: boolean;
  /** The one engine that was asked for. */
  engine: Engine | undefined;
}

/** Reads the command line and the environment. Throws a sentence for the user if they make no sense. */
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
  if (unknown !== undefined) throw new Error(`npm test knows --all, --repeat and --hog, not ${unknown}`);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new Error('--repeat needs a number of runs: --repeat 20');
  const names = rest.map((name) => name.replace(/^test\//, ''));
  if (repeated && names.length === 0) throw new Error('--repeat needs the files to run');
  const engine = environment.PALAVER_TEST_ENGINE as Engine | undefined;
  return { names, all: all || Boolean(environment.CI), repeat, hog, engine };
}
