import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Side } from '../../db/copy/side.ts';
import type { SecretKeys } from '../../lib/seal.ts';
import { parseSecretKeys, secretKeysText } from '../../lib/secretKeys.ts';
import { canOpen, keyFile, readKeys, writeKeys } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import type { DataLocation } from './location.ts';

/**
 * Writes the key file. Without `replace`, throws CommandError if the file has different keys, which other
 * data may need.
 */
export function giveKeys(folder: string, keys: SecretKeys, replace: boolean): void {
  const isOther = () => secretKeysText(readKeys(folder)) !== secretKeysText(keys);
  if (!replace && existsSync(keyFile(folder)) && isOther()) {
    throw new CommandError(`${keyFile(folder)} belongs to other data: move it elsewhere`);
  }
  writeKeys(folder, keys, replace);
}

/**
 * Returns the secret keys of the source; undefined if it has none yet. Throws CommandError if they do not
 * decrypt the source's secrets.
 */
export async function keysOf(
  { secretKey }: Config,
  place: DataLocation,
  source: Side,
): Promise<SecretKeys | undefined> {
  const keys = secretKey ? parseSecretKeys(secretKey) : await ownKeys(place, source);
  const sealed = await source.sealed();
  if (sealed !== undefined && !(keys && canOpen(keys, sealed))) {
    throw new CommandError(
      `${secretKey ? 'PALAVER_SECRET_KEY' : 'the key stored with the data'} does not decrypt the stored secrets in ${source.name}: set PALAVER_SECRET_KEY to the server's value`,
    );
  }
  return keys;
}

async function ownKeys(place: DataLocation, source: Side): Promise<SecretKeys | undefined> {
  if ('folder' in place) return existsSync(keyFile(place.folder)) ? readKeys(place.folder) : undefined;
  const text = await source.setting('secretKey');
  return text === undefined ? undefined : parseSecretKeys(text);
}
