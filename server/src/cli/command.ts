import type { LoadedConfig } from '../config.ts';

/** Options, such as `--name <n>`, with their descriptions. A required option has `{ needed: description }`. */
export type Options = Record<string, string | { needed: string }>;

/** The result of a command. */
export interface Outcome {
  /** Printed as JSON with `--json`. */
  record: object;
  /** Printed without `--json`. If left out, the fields of the record are printed, one a line. */
  lines?: readonly string[];
  /** If set, the command prints its result, then fails with this line. */
  problem?: string;
}

/** The first argument of a command's `run`: the settings, the options given, and the command, such as `key create`. */
export type Call<G> = LoadedConfig & { given: G; command: string };

/** The row of a command. The command line and docs/operate/commands.md are made from the rows. */
export interface Command {
  /** The name and the argument: `revoke <id>`. */
  usage: string;
  about: string;
  options: Options;
  // biome-ignore lint/suspicious/noExplicitAny: `command` checks the types of both
  run(call: Call<any>, ...names: any[]): Promise<Outcome> | Outcome;
}

/** Commands about one noun, such as `user create` and `user list`. */
export interface CommandGroup {
  name: string;
  about: string;
  commands: readonly Command[];
}

/** Makes the row of a command. `run` has the types of its options and its argument. */
export const command = <const O extends Options, const U extends string>(
  row: Omit<Command, 'usage' | 'options' | 'run'> & {
    usage: U;
    options: O;
    // A property, since parameters of methods are checked loosely: `run` could require options that the row lacks.
    run: (call: Call<Given<O>>, ...names: Arguments<U>) => Promise<Outcome> | Outcome;
  },
): Command => row;

/** The argument of a command, if it has one. */
type Arguments<U> = U extends `${string} <${string}>` ? [string] : [];

export const json = { '--json': 'Print JSON and nothing else' } as const;

/** The options given to a command, by their names in camel case. */
type Given<O> = {
  [F in keyof O as O[F] extends { needed: string } ? NameIn<F> : never]: ValueIn<F>;
} & {
  [F in keyof O as O[F] extends { needed: string } ? never : NameIn<F>]?: ValueIn<F>;
};

type NameIn<F> = F extends `--${infer Name} <${string}>`
  ? CamelCase<Name>
  : F extends `--${infer Name}`
    ? CamelCase<Name>
    : never;

type ValueIn<F> = F extends `${string}<${string}>` ? string : boolean;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
