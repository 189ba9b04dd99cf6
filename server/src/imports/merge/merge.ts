import { type AnyTimer, isClaimed, removeTimer, setTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, update } from '../../db/statements.ts';
import type { MergePlace } from '../../db/tables/placeholder.ts';
import { FIRST_ID } from '../../lib/deps.ts';
import type { Services } from '../../operations/services.ts';
import { system, transact, type Work, workIn } from '../../operations/work.ts';
import { recordAct } from '../../resources/recordAct.ts';
import { importEvents } from '../../resources/server/serverRecord.ts';
import { applyRows } from './apply.ts';
import { startIn } from './json.ts';
import { type Entry, type Merge, plan } from './plan.ts';
import { type AnyRow, nextRows } from './rows.ts';

/** Time limit for searching rows in one turn of a merge, in ms. */
const SEARCH_MS = 200;

/** The rows for one write, and the position of the next one. */
interface Turn {
  entry?: Entry;
  rows: readonly AnyRow[];
  /** The position of the next write; null if nothing is left. */
  place: MergePlace | null;
}

/**
 * Continues a merge with one write of up to a few hundred rows, and sets its timer for the next one. The
 * write also stores the position of the merge, from which any node can continue. At the end, each changed
 * server gets an event that makes clients reload the server.
 */
export async function continueMerge(services: Services, timer: AnyTimer): Promise<void> {
  const { db } = services;
  const found = await db.read.first(find('placeholder', { id: timer.id }));
  if (!found || found.accountId === null || found.mergedAt !== null)
    return db.write((tx) => removeTimer(tx, timer.id));
  const merge = { userId: found.id, accountId: found.accountId };
  const turn = await nextTurn(services, found);
  if (turn.place === null && turn.rows.length === 0) {
    const [serverId] = found.serverIds;
    if (serverId === undefined) return end(services, timer, merge);
    return announce(services, timer, found, serverId);
  }
  const serverIds = serversOf(turn);
  await claimed(services, timer, [merge.accountId, ...serverIds], async (work, row) => {
    const { db: tx, now } = work;
    const { entry, rows } = turn;
    const inner = entry && rows.length > 0 ? await applyRows(work, entry, rows, merge, row.place) : undefined;
    const place = inner ?? turn.place ?? lastPlace;
    const all = [...new Set([...row.serverIds, ...serverIds])];
    await tx.run(update('placeholder', row.id, { place, serverIds: all, updatedAt: now }));
    await setTimer(tx, { id: row.id, kind: 'merge', serverId: null, dueAt: now, now });
  });
}

const entryAt = (index: number, since: number): MergePlace | null => {
  const entry = plan[index];
  return entry ? { ...entry, after: startIn(entry, since) ?? FIRST_ID } : null;
};

/** The end of the plan: no rows are left. */
const lastPlace: MergePlace = { table: '', column: '', after: '' };

/** Finds the rows for the next write. */
async function nextTurn(
  { db }: Services,
  { id: userId, createdAt, place }: RowOf<'placeholder'>,
): Promise<Turn> {
  if (place?.table === '') return { rows: [], place: null };
  // Another version may have different tables. The merge then starts over.
  const known = plan.findIndex(({ table, column }) => table === place?.table && column === place.column);
  let after = known >= 0 && place ? place.after : FIRST_ID;
  const until = performance.now() + SEARCH_MS;
  for (let index = Math.max(known, 0); ; ) {
    const entry = plan[index];
    if (!entry) return { rows: [], place: lastPlace };
    const { rows, next } = await nextRows(db.read, entry, userId, after);
    const following = next === undefined ? entryAt(index + 1, createdAt) : { ...entry, after: next };
    if (rows.length > 0 || performance.now() > until) return { entry, rows, place: following };
    after = following?.after ?? FIRST_ID;
    if (next === undefined) index++;
  }
}

const serversOf = ({ rows }: Turn): string[] => [
  ...new Set(rows.flatMap(({ serverId }) => (typeof serverId === 'string' ? [serverId] : []))),
];

/** Runs a write if this node still holds the timer and the merge has not advanced. */
function claimed(
  services: Services,
  timer: AnyTimer,
  ids: readonly string[],
  task: (work: Work, row: RowOf<'placeholder'>) => Promise<void>,
): Promise<void> {
  return transact(
    services,
    async (tx, pending) => {
      if (!(await isClaimed(tx, timer))) return;
      const row = await tx.first(find('placeholder', { id: timer.id }));
      if (!row) return removeTimer(tx, timer.id);
      await task(workIn(tx, services, system, pending), row);
    },
    ids[0],
    ids.slice(1),
  );
}

/** Notifies the members of one server. */
const announce = (
  services: Services,
  timer: AnyTimer,
  { source }: RowOf<'placeholder'>,
  serverId: string,
): Promise<void> =>
  claimed(services, timer, [serverId], async ({ db, now, newRow, emit }, row) => {
    const { id, createdAt } = newRow();
    if (await db.first(find('server', { id: serverId })))
      await emit(importEvents.finished, { id, createdAt, serverId, source, messages: 0 });
    const serverIds = row.serverIds.filter((one) => one !== serverId);
    await db.run(update('placeholder', row.id, { serverIds }));
    await setTimer(db, { id: row.id, kind: 'merge', serverId: null, dueAt: now, now });
  });

const end = (services: Services, timer: AnyTimer, { userId, accountId }: Merge): Promise<void> =>
  claimed(services, timer, [accountId], async (work, row) => {
    const { db, now } = work;
    await db.run(update('placeholder', row.id, { place: null, mergedAt: now, updatedAt: now }));
    await removeTimer(db, row.id);
    await recordAct(work, 'user merge', { id: userId, accountId });
  });
