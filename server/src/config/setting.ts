/** A setting: a flag of the command line wins over the environment, then come the config file and the default. */
export interface Setting<T> {
  /** The flag of the command line, without dashes. Not every setting has one. */
  flag?: string;
  env: string;
  default: T;
  /** The default where it depends on settings that stand above this one. */
  defaultBeside?(others: Record<string, unknown>): T;
  about: string;
  /** Parses text, or a JSON value of the config file. Throws an Error whose message follows the setting's name. */
  parse(value: unknown): T;
}
