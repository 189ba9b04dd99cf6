import { existsSync } from 'node:fs';
import type { Config } from '../../config.ts';
import type { Side } from '../../db/copy/side.ts';
import { canOpen, keyFile, readKey, writeKey } from '../../node/secretKey.ts';
import { CommandError } from '../commandError.ts';
import type { Place } from './place.ts';

/** Writes the key's file. Throws CommandError, unless `replace`, if it has another key: other data may need that. */
export function giveKey(folder: string, key: Buffer, replace: boolean): void {
  if (!replace && existsSync(keyFile(folder)) && !readKey(folder).equals(key)) {
    throw new CommandError(`${keyFile(folder)} is the key of other data: move it away`);
  }
  writeKey(folder, key, replace);
}

/** The secret key of the source; undefined if it has none yet. Throws CommandError if it does not decrypt secrets. */
export async function keyOf({ secretKey }: Config, place: Place, source: Side): Promise<Buffer | undefined> {
  const key = secretKey ? Buffer.from(secretKey, 'base64url') : await ownKey(place, source);
  const sealed = await source.sealed();
  if (sealed !== undefined && !(key && canOpen(key, sealed))) {
    throw new CommandError(
      `${secretKey ? 'PALAVER_SECRET_KEY' : 'the key beside the data'} does not decrypt the secrets of apps in ${source.name}: set PALAVER_SECRET_KEY as it is set for the server`,
    );
  }
  return key;
}

async function ownKey(place: Place, source: Side): Promise<Buffer | undefined> {
  if ('folder' in place) return existsSync(keyFile(place.folder)) ? readKey(place.folder) : undefined;
  const text = await source.setting('secretKey');
  return text === undefined ? undefined : Buffer.from(text, 'base64url');
}
