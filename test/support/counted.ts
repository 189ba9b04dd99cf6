import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ask, engine } from './databases.ts';
import type { Stage } from './process.ts';

/** Counts rows in a folder's data, which a server may be using. `rows` is a table, optionally with a condition. */
export async function countIn(stage: Stage, folder: string, rows: string): Promise<number> {
  const count = `select count(*) as count from ${rows}`;
  if (engine === 'postgres') {
    const { database } = await stage.place(folder);
    return Number((await ask<{ count: string }>(database as string, count))[0]?.count);
  }
  const database = new DatabaseSync(join(folder, 'palaver.db'), { readOnly: true });
  try {
    return Number(database.prepare(count).get()?.count);
  } finally {
    database.close();
  }
}
