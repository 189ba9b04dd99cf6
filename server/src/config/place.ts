import type { Source } from './setting.ts';

type Flags = Record<string, unknown>;
interface Found {
  value: unknown;
  source: Source;
}

/**
 * Returns the value of a setting. `named` is the config file in `--config` or `PALAVER_CONFIG`, if any. If
 * `--data` is given, a `database` from the environment or from that file is ignored, because the data is in
 * the folder. The `database` in the folder's own `palaver.json` still applies.
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
