import type { LoadedConfig } from '../config.ts';

/** Options by how they are typed, such as `--name <n>`; with their words, or `{ needed: words }`. */
export type Options = Record<string, string | { needed: string }>;

/** What a command prints when it has done its part. */
export interface Outcome {
  /** Printed as JSON with `--json`. */
  record: object;
  /** Printed without it; the record's fields, a line each, if left out. */
  lines?: readonly string[];
  /** The command fails with this line after it has printed. */
  problem?: string;
}

/** What a command runs with: the settings, and the options that it was given. */
export type Call<G> = LoadedConfig & { given: G };

/** A command: a row from which the command line and docs/operate/commands.md are made. */
export interface Command {
  /** Its name as it is typed, with its argument: `revoke <id>`. */
  usage: string;
  about: string;
  options: Options;
  // biome-ignore lint/suspicious/noExplicitAny: `command` checks both
  run(call: Call<any>, ...names: any[]): Promise<Outcome> | Outcome;
}

/** Commands about one thing, such as `user create` and `user list`. */
export interface CommandGroup {
  name: string;
  about: string;
  commands: readonly Command[];
}

/** A command whose `run` gets exactly its options and arguments. */
export const command = <const O extends Options, const U extends string>(
  row: Omit<Command, 'usage' | 'options' | 'run'> & {
    usage: U;
    options: O;
    // A property: a method would also take one that needs options which the row does not have.
    run: (call: Call<Given<O>>, ...names: Arguments<U>) => Promise<Outcome> | Outcome;
  },
): Command => row;

/** Its one argument, or none. */
type Arguments<U> = U extends `${string} <${string}>` ? [string] : [];

export const json = { '--json': 'Print JSON and nothing else' } as const;

/** The options that a command was given, by their names in camel case. */
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
