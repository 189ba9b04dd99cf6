import assert from 'node:assert/strict';
import type { Watched } from './known.ts';
import { type Client, type Json, listAll } from './world.ts';

/** All of a list that hangs on the server: `channels`. */
export const allIn =
  (list: string) =>
  ({ server, watchers: [admin] }: Watched): Promise<Json[]> =>
    listAll(admin, `/servers/${server.id}/${list}`);

/** The records that are still there, of these identifiers; `more` is the end of the path. */
export async function those(admin: Client, path: string, ids: Iterable<string>, more = ''): Promise<Json[]> {
  const answers = await Promise.all([...ids].map((id) => admin.get(`${path}${id}${more}`)));
  for (const { status } of answers) assert.ok(status === 200 || status === 404);
  return answers.filter(({ status }) => status === 200).map(({ data }) => data);
}

export const byId = (one: Json, other: Json): number => (one.id < other.id ? -1 : 1);
