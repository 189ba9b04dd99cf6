import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q } from '../db/statements.ts';

/**
 * An app's `meta` may have 250 KB, and each change of the app, of its installs or of their number has an event with the app.
 * So that small requests do not make the log grow by that much each, an event is stored without a large `meta`, and shows it
 * as it is when the event is told.
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

/** Puts the present `meta` into the data of the rows that were stored without it; null if the app was deleted. */
export async function fillMeta<R extends Pick<RowOf<'event'>, 'type' | 'data' | 'metaOf'>>(
  db: Reader,
  rows: readonly R[],
): Promise<R[]> {
  const ids = [...new Set(rows.flatMap(({ metaOf }) => metaOf ?? []))];
  if (ids.length === 0) return [...rows];
  const found = await db.all(q.selectFrom('app').select(['id', 'meta']).where('id', 'in', ids));
  const metas = new Map(found.map(({ id, meta }) => [id, meta]));
  return rows.map((row) => {
    const meta = row.metaOf === null ? undefined : metas.get(row.metaOf);
    if (meta === undefined) return row;
    const data = JSON.parse(row.data);
    (appIn(row.type, data) as App).meta = meta;
    return { ...row, data: JSON.stringify(data) };
  });
}
