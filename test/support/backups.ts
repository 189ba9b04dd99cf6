import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Every row of every table in a data folder, as JSON, except the derived search indexes and the setting that
 * identifies the location of the data.
 */
export function rowsIn(folder: string): Record<string, string[]> {
  const database = new DatabaseSync(join(folder, 'palaver.db'), { readOnly: true });
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like '%\\_search%' escape '\\' order by name`,
    )
    .all() as { name: string }[];
  const rows = tables.map(({ name }) => {
    const all = database.prepare(`select * from "${name}"`).all();
    const isPlace = (row: string) => name === 'setting' && JSON.parse(row).name === 'place';
    const texts = all.map((row) => JSON.stringify(row)).filter((row) => !isPlace(row));
    return [name, texts.sort()];
  });
  database.close();
  return Object.fromEntries(rows);
}

/** The encryption key in a data folder. */
const keyIn = (folder: string): Buffer =>
  Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8').trim(), 'base64url');

/** Encrypts text as earlier versions did, without binding it to its table, column and row. */
export function sealedOfOld(key: Uint8Array, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** The values of the apps' secrets in a data folder, decrypted (AES-256-GCM) with the folder's key file. */
export function secretsIn(folder: string): string[] {
  const key = keyIn(folder);
  return (rowsIn(folder).secret ?? []).flatMap((row) => {
    const { id, sealed } = JSON.parse(row);
    if (sealed === null) return [];
    const bytes = Buffer.from(sealed.split('.')[2], 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(JSON.stringify(['secret', 'sealed', id])));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return [Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()];
  });
}
