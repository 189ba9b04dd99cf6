import type { Source } from './setting.ts';

type Flags = Record<string, unknown>;
interface Found {
  value: unknown;
  source: Source;
}

/**
 * Returns the value of a setting. If `--data` is given, a `database` from the environment or from a config
 * file elsewhere is ignored, because the data is in that folder. The `database` in the folder's own config
 * file still applies. `named` is the path of a config file that is not in the data folder.
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
