import type { Source } from './setting.ts';

type Flags = Record<string, unknown>;
interface Found {
  value: unknown;
  source: Source;
}

/**
 * Returns the value of a setting. If `--data` is given, `database` is empty, because the data is then in that
 * folder. `named` is the path of the config file, except for the one in the data folder, whose `database`
 * belongs to that folder.
 */
export function inFolder(
  name: string,
  found: Found,
  { flags, named }: { flags: Flags; named: string | undefined },
): Found {
  if (name !== 'database' || flags.data === undefined) return found;
  const isOther = found.source === 'environment' || (found.source === 'file' && named !== undefined);
  return isOther ? { value: '', source: 'flag' } : found;
}

/** Throws an Error if two flags set different locations of the data. */
export function requireOnePlace({ data, database }: Flags): void {
  if (data !== undefined && database !== undefined)
    throw new Error("--data and --database both set the data's location: pass only one");
}
