import { type LoadedConfig, settings } from '../config.ts';

/**
 * Options, such as `--name <n>`, with their descriptions. A required option has the value `{ needed:
 * description }`.
 */
export type Options = Record<string, string | { needed: string }>;

/** The result of a command. */
export interface Outcome {
  /** Printed as JSON with `--json`. */
  record: object;
  /** Printed without `--json`. Defaults to the fields of the record, one per line. */
  lines?: readonly string[];
  /** For a list, the columns of the table on a terminal. Elsewhere, all fields are printed. */
  columns?: readonly string[];
  /** If set, the command prints this line after its result and fails. */
  problem?: string;
}

/** The options of every command that reads the settings. */
export const commonOptions = {
  '--data <dir>': settings.data.about,
  '--database <url>': settings.database.about,
  '--config <file>': 'Config file (default: palaver.json in the data folder)',
} satisfies Options;

/**
 * The first argument of a command's `run`: the settings, the options that were given, and the command, such
 * as `key create`.
 */
export type Call<G> = LoadedConfig & { given: G; command: string };

/** All commands and command groups, in the order in which the help lists them. */
export type Commands = readonly (Command | CommandGroup)[];

/**
 * The definition of a command. The command line and docs/operate/commands.md are derived from the
 * definitions.
 */
export interface Command {
  /** The name and the argument: `revoke <id>`, or `send [text]` if the argument is optional. */
  usage: string;
  about: string;
  options: Options;
  /** False for a command that does not read the settings and therefore lacks the common options. */
  isConfigured: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: `command` checks the types of both
  run(call: any, ...names: any[]): Promise<Outcome> | Outcome;
}

/** Commands about one noun, such as `user create` and `user list`. */
export interface CommandGroup {
  name: string;
  about: string;
  commands: readonly Command[];
}

type Row<O, U> = { usage: U; about: string; options: O };

/** Creates the row of a command that reads the settings. `run` receives typed options and arguments. */
export const command = <const O extends Options, const U extends string>(
  row: Row<O, U> & {
    // This is a property rather than a method, because method parameters are checked bivariantly, and `run`
    // could then require options that the row lacks.
    run: (call: Call<Given<O>>, ...names: Arguments<U>) => Promise<Outcome> | Outcome;
  },
): Command => ({ ...row, isConfigured: true });

/**
 * Creates the row of a command that does not read the settings, and therefore needs neither data nor a valid
 * config file.
 */
export const unconfigured = <const O extends Options, const U extends string>(
  row: Row<O, U> & {
    run: (
      call: { given: Given<O>; commands: Commands },
      ...names: Arguments<U>
    ) => Promise<Outcome> | Outcome;
  },
): Command => ({ ...row, isConfigured: false });

/** Returns the options of a command as listed in its help. */
export const optionsOf = ({ options, isConfigured }: Command): Options =>
  isConfigured ? { ...commonOptions, ...options } : options;

/** Returns all commands, each with its full name, such as `user create`. */
export const namedCommands = (commands: Commands): [name: string, Command][] =>
  commands.flatMap((entry): [string, Command][] =>
    'run' in entry
      ? [[nameOf(entry), entry]]
      : entry.commands.map((row) => [`${entry.name} ${nameOf(row)}`, row]),
  );

/** Returns the name in a command's usage, such as `revoke` for `revoke <id>`. */
export const nameOf = ({ usage }: Command): string => usage.split(' ', 1)[0] as string;

/** Returns the argument in a command's usage, without its brackets; undefined if it takes none. */
export const argumentOf = ({ usage }: Command): string | undefined => /[<[](.+)[\]>]$/.exec(usage)?.[1];

/** Returns the description of an option, including whether it is required. */
export const wordsOf = (words: Options[string]): string =>
  typeof words === 'string' ? words : `${words.needed} (required)`;

/** The argument of a command, if it has one. */
type Arguments<U> = U extends `${string} <${string}>`
  ? [string]
  : U extends `${string} [${string}]`
    ? [string | undefined]
    : [];

export const json = { '--json': 'Print only JSON' } as const;

/** The options given to a command, by name in camel case. */
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
