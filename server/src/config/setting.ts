/** A setting. Precedence: command-line flag, environment, config file, default. */
export interface Setting<T> {
  /** The command-line flag, without dashes. Not every setting has one. */
  flag?: string;
  env: string;
  default: T;
  /** A default that depends on settings declared before this one. */
  defaultBeside?(others: Record<string, unknown>): T;
  about: string;
  /**
   * Parses text, or a JSON value from the config file. Throws an Error whose message continues a sentence
   * that starts with the setting's name.
   */
  parse(value: unknown): T;
}

/** The source of a setting's value. */
export type Source = 'flag' | 'environment' | 'file' | 'default';
