import type { Reads } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { prepare, q } from '../db/statements.ts';

/**
 * An app's `meta` may be large (the quota `metaBytes`), and each change of the app, of its installs or of their number has an
 * event with the app. So that small requests do not make the log grow by that much each, an event is stored without a large
 * `meta`, and shows it as it is when the event is told.
 */
const LARGE_CHARACTERS = 4_096;

interface App {
  id: string;
  meta: unknown;
}

/** The app in the data of an event: itself the record, or shown in the record of an install. */
function appIn(type: string, data: unknown): App | undefined {
  if (type === 'app.created' || type === 'app.updated') return data as App;
  if (type.startsWith('appInstall.')) return (data as { app: App }).app;
  return undefined;
}

/** The JSON of an event's data to be stored, and the id of the app whose `meta` was left out of it. */
export function withoutLargeMeta(type: string, data: unknown): { json: string; metaOf: string | null } {
  const json = JSON.stringify(data);
  const app = json.length > LARGE_CHARACTERS ? appIn(type, data) : undefined;
  if (!app || JSON.stringify(app.meta ?? null).length <= LARGE_CHARACTERS) return { json, metaOf: null };
  const left = { ...app, meta: null };
  return { json: JSON.stringify(app === data ? left : { ...(data as object), app: left }), metaOf: app.id };
}

/** Puts the present `meta` into the data of a row that was stored without it; null if the app was deleted. */
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
