import { sql } from 'kysely';
import type { Tx } from '../db/contract.ts';
import { insert, prepare, q } from '../db/statements.ts';
import { cleanName } from '../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../operations/fields.ts';
import { knownThreads } from './known.ts';
import type { People } from './people.ts';
import type { Place, Places } from './places.ts';
import type { ThreadRow } from './row.ts';
import { applied, type Target } from './target.ts';

/** Adds threads, and counts their replies. */
export class Threads {
  readonly #target: Target;
  readonly #people: People;
  readonly #places: Places;
  readonly #there = new Set<string>();

  constructor(target: Target, people: People, places: Places) {
    this.#target = target;
    this.#people = people;
    this.#places = places;
  }

  has(id: string): boolean {
    return this.#there.has(id);
  }

  async write(rows: readonly ThreadRow[]): Promise<void> {
    const { server, latest } = this.#target;
    const ready = rows.flatMap((row): { row: ThreadRow; place: Place }[] => {
      const place = this.#places.find(row.channelId);
      return place ? [{ row, place }] : [];
    });
    if (ready.length === 0) return;
    await applied(
      this.#target,
      async (reads) =>
        new Set(
          (
            await reads.all(
              knownThreads(
                reads.dialect,
                ready.map(({ row }) => ({ id: row.id })),
              ),
            )
          ).map(({ id }) => id),
        ),
      async (tx, known) => {
        for (const { row, place } of ready) {
          if (known.has(row.id)) continue;
          const at = Math.min(row.createdAt, latest);
          this.#target.hasOtherChanges = true;
          await tx.run(
            insert('thread', {
              ...{ id: row.id, createdAt: at, updatedAt: at, serverId: server.id, channelId: place.id },
              ...{
                messageId: row.messageId,
                name: row.name === null ? null : cleanName(row.name, MAX_NAME_CHARACTERS) || null,
              },
              creatorId: (row.creatorId && this.#people.find(row.creatorId)?.id) || server.creatorId,
              ...{ isNamedByMessage: false, locked: row.locked, isLockedByModerator: row.locked },
              ...{ replyCount: 0, lastReplyAt: null },
            }),
          );
        }
      },
    );
    for (const { row } of ready) this.#there.add(row.id);
  }

  /** Adds new replies to the counters of their threads. */
  async count(tx: Tx, counts: ReadonlyMap<string, { replies: number; last: number }>): Promise<void> {
    for (const [id, added] of counts) await tx.run(addReplies({ id, ...added }));
  }
}

const addReplies = prepare((p: { id: string; replies: number; last: number }) =>
  q
    .updateTable('thread')
    .set({
      replyCount: sql<number>`"replyCount" + ${p.replies}`,
      lastReplyAt: sql<number>`case when "lastReplyAt" > ${p.last} then "lastReplyAt" else ${p.last} end`,
    })
    .where('id', '=', p.id),
);
