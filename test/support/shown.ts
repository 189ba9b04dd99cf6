import assert from 'node:assert/strict';
import type { Watched } from './known.ts';
import { type Client, type Json, listAll } from './world.ts';

/** Lists all records under a path of a server, such as `channels`. */
export const allIn =
  (list: string) =>
  ({ server, watchers: [admin] }: Watched): Promise<Json[]> =>
    listAll(admin, `/servers/${server.id}/${list}`);

/** Reads the records with these ids that still exist. `more` is appended to the path. */
export async function those(admin: Client, path: string, ids: Iterable<string>, more = ''): Promise<Json[]> {
  const answers = await Promise.all([...ids].map((id) => admin.get(`${path}${id}${more}`)));
  for (const { status } of answers) assert.ok(status === 200 || status === 404);
  return answers.filter(({ status }) => status === 200).map(({ data }) => data);
}

export const byId = (one: Json, other: Json): number => (one.id < other.id ? -1 : 1);
