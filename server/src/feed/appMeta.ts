import type { Reads } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { prepare, q } from '../db/statements.ts';

/**
 * An app's `meta` may be large (quota `metaBytes`), and every change to the app, its installs or their number
 * emits an event that contains the app. A small request could thus add a large `meta` to the log. A large
 * `meta` is therefore omitted from the stored event, and its current value is filled in when the event is
 * read. The threshold is in characters of JSON.
 */
const LARGE_CHARACTERS = 4_096;

interface App {
  id: string;
  meta: unknown;
}

/** Returns the app in an event's data: the record itself, or a part of an install's record. */
function appIn(type: string, data: unknown): App | undefined {
  if (type === 'app.created' || type === 'app.updated') return data as App;
  if (type.startsWith('appInstall.')) return (data as { app: App }).app;
  return undefined;
}

/** Serializes an event's data for storage. `metaOf` is the id of the app whose large `meta` was omitted. */
export function withoutLargeMeta(type: string, data: unknown): { json: string; metaOf: string | null } {
  const json = JSON.stringify(data);
  const app = json.length > LARGE_CHARACTERS ? appIn(type, data) : undefined;
  if (!app || JSON.stringify(app.meta ?? null).length <= LARGE_CHARACTERS) return { json, metaOf: null };
  const left = { ...app, meta: null };
  return { json: JSON.stringify(app === data ? left : { ...(data as object), app: left }), metaOf: app.id };
}

/**
 * Fills in the current `meta` of a row that was stored without it. The `meta` is null if the app has been
 * deleted.
 */
export async function fillMeta<R extends Pick<RowOf<'event'>, 'type' | 'data' | 'metaOf'>>(
  db: Reads,
  row: R,
): Promise<R> {
  if (row.metaOf === null) return row;
  const found = await db.first(metaOf({ id: row.metaOf }));
  if (!found) return row;
  const data = JSON.parse(row.data);
  (appIn(row.type, data) as App).meta = found.meta;
  return { ...row, data: JSON.stringify(data) };
}

const metaOf = prepare((p: { id: string }) => q.selectFrom('app').select('meta').where('id', '=', p.id));
