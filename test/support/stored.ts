import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from './databases.ts';
import type { World } from './world.ts';

/**
 * The places in the stored data that contain `text` in plain text: files in the data folder, including the
 * write-ahead log, or tables.
 */
export async function placesWith({ folder, place }: World, text: string): Promise<string[]> {
  if (place.database) return tablesWith(place.database, text);
  const files = readdirSync(folder);
  assert.ok(files.some((file) => file.endsWith('.db')));
  return files.filter((file) => readFileSync(join(folder, file)).includes(text));
}

async function tablesWith(url: string, text: string): Promise<string[]> {
  const tables = await ask<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  assert.ok(tables.length > 0);
  const found: string[] = [];
  for (const { name } of tables) {
    // PostgreSQL formats bytes as hexadecimal.
    const rows = await ask(
      url,
      `select 1 from "${name}" as row where position($1 in row::text) > 0
        or position(encode(convert_to($1, 'UTF8'), 'hex') in row::text) > 0 limit 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
