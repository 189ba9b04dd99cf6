import { createDecipheriv } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Every row of every table of a data folder, as JSON. Left out are the search indexes, which are derived, and the
 * setting that names the place of the data.
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

/** The values of the apps' secrets in a data folder, decrypted (AES-256-GCM) with the folder's key file. */
export function secretsIn(folder: string): string[] {
  const key = Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8').trim(), 'base64url');
  return (rowsIn(folder).secret ?? []).flatMap((row) => {
    const { sealed } = JSON.parse(row);
    if (sealed === null) return [];
    const bytes = Buffer.from(sealed, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAuthTag(bytes.subarray(12, 28));
    return [Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString()];
  });
}
