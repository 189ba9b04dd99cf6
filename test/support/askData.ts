import { join } from 'node:path';
import { ask } from './databases.ts';
import type { Json } from './world.ts';

/** Runs a query on the data of a node, which may be running. */
export async function askData(
  { data, database = '' }: { data: string; database?: string | undefined },
  text: string,
): Promise<Json[]> {
  if (database) return ask(database, text);
  const { DatabaseSync } = await import('node:sqlite');
  const file = new DatabaseSync(join(data, 'palaver.db'), { readOnly: true });
  try {
    return file.prepare(text).all() as Json[];
  } finally {
    file.close();
  }
}
