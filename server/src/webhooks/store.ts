import type { Viewer } from '../access/visibility.ts';
import type { Db, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, q, update } from '../db/statements.ts';
import { placeOfEventId } from '../feed/eventId.ts';
import { appendEvent } from '../feed/log.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import { effectiveFlags, flagNames, flagsOf } from '../lib/flags.ts';

/** How long a webhook is held without a sign of life of its holder, in milliseconds. */
export const LEASE = 15_000;

/** What is known of an event that was dealt with, or is to be tried again. */
export interface Progress {
  cursor: string;
  attempt: number;
  nextAt: number | null;
}

export type Attempt = Pick<
  RowOf<'webhookDelivery'>,
  'eventId' | 'type' | 'attempt' | 'status' | 'error' | 'ms' | 'nextAt'
>;

/** A webhook with its state, as its holder works with it. */
export type Held = RowOf<'webhook'> & Pick<RowOf<'webhookState'>, 'cursor' | 'attempt'>;

/** What waits to be sent, by webhook. `due` alone: what has failed and is to be tried again, and what somebody let go of. */
export type Scope = { ids: readonly string[] } | 'due' | 'all';

/**
 * The state of webhooks in the database. Who works on a webhook holds it: its name stands in the row until the lease ends,
 * and whatever it writes there has no effect once the name is another.
 */
export class Store {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now' | 'newId'>;
  readonly #self: string;

  constructor(db: Db, deps: Pick<Deps, 'now' | 'newId'>, self: string) {
    this.#db = db;
    this.#deps = deps;
    this.#self = self;
  }

  /** The time, by the clock that all nodes share. */
  now = (): number => this.#deps.now(Date.now() + this.#db.skew());

  /** Enabled webhooks that send, with their servers. */
  enabled(): Promise<{ id: string; serverId: string }[]> {
    return this.#db.read.all(
      q
        .selectFrom('webhook')
        .select(['id', 'serverId'])
        .where('direction', '=', 'out')
        .where('enabled', '=', true),
    );
  }

  /** Webhooks that have something to send and that nobody else holds, at most `limit`. */
  async waiting(scope: Scope, limit: number): Promise<string[]> {
    const now = this.now();
    let rows = q
      .selectFrom('webhookState as state')
      .innerJoin('webhook', 'webhook.id', 'state.id')
      .select('state.id')
      .where('webhook.enabled', '=', true)
      .where((eb) =>
        eb.or([
          eb('state.owner', 'is', null),
          eb('state.owner', '=', this.#self),
          eb('state.ownedUntil', '<=', now),
        ]),
      )
      .where((eb) => eb.or([eb('state.nextAt', 'is', null), eb('state.nextAt', '<=', now)]))
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('event')
            .select('event.seq')
            .whereRef('event.logId', '=', 'state.serverId')
            .whereRef('event.seq', '>', 'state.seq'),
        ),
      )
      .limit(limit);
    if (scope === 'due') {
      rows = rows.where((eb) =>
        eb.or([
          eb('state.nextAt', '<=', now),
          eb.and([eb('state.owner', 'is not', null), eb('state.ownedUntil', '<=', now)]),
        ]),
      );
    } else if (scope !== 'all') {
      rows = rows.where('state.id', 'in', scope.ids);
    }
    return (await this.#db.read.all(rows)).map(({ id }) => id);
  }

  /** Those of these that somebody else holds, or that are to be tried again later. */
  async busy(ids: readonly string[]): Promise<string[]> {
    const now = this.now();
    const rows = q
      .selectFrom('webhookState')
      .select('id')
      .where('id', 'in', ids)
      .where((eb) =>
        eb.or([eb.and([eb('owner', '!=', this.#self), eb('ownedUntil', '>', now)]), eb('nextAt', '>', now)]),
      );
    return (await this.#db.read.all(rows)).map(({ id }) => id);
  }

  /** Takes webhooks that nobody else holds, and gives those that it got. */
  claim(ids: readonly string[]): Promise<string[]> {
    return this.#db.write(async (tx) => {
      const state = q
        .selectFrom('webhookState')
        .select(['id', 'owner', 'ownedUntil', 'nextAt'])
        .where('id', 'in', ids);
      // The time of the transaction is known once something was read in it.
      await tx.all(state);
      const now = this.#nowIn(tx);
      await tx.count(
        q
          .updateTable('webhookState')
          .set({ owner: this.#self, ownedUntil: now + LEASE })
          .where('id', 'in', ids)
          .where((eb) =>
            eb.or([eb('owner', 'is', null), eb('owner', '=', this.#self), eb('ownedUntil', '<=', now)]),
          )
          .where((eb) => eb.or([eb('nextAt', 'is', null), eb('nextAt', '<=', now)])),
      );
      return (await tx.all(state)).filter(({ owner }) => owner === this.#self).map(({ id }) => id);
    });
  }

  /** Goes on holding these. */
  async renew(ids: readonly string[]): Promise<void> {
    const renewed = (until: number) =>
      q
        .updateTable('webhookState')
        .set({ ownedUntil: until })
        .where('id', 'in', ids)
        .where('owner', '=', this.#self);
    await this.#db.write((tx) => tx.run(renewed(this.now() + LEASE)));
  }

  /** Lets go of everything, so that others take over at once. */
  async releaseAll(): Promise<void> {
    const free = q
      .updateTable('webhookState')
      .set({ owner: null, ownedUntil: 0 })
      .where('owner', '=', this.#self);
    await this.#db.write((tx) => tx.run(free));
  }

  /** A webhook as it is, if it is still held and enabled. */
  load(id: string): Promise<Held | undefined> {
    return this.#db.read.first(
      q
        .selectFrom('webhook')
        .innerJoin('webhookState as state', 'state.id', 'webhook.id')
        .selectAll('webhook')
        .select(['state.cursor', 'state.attempt'])
        .where('webhook.id', '=', id)
        .where('webhook.enabled', '=', true)
        .where('state.owner', '=', this.#self),
    );
  }

  /** What the webhook may see. Throws for one that is gone. */
  async viewer(id: string): Promise<Viewer> {
    const row = await this.#db.read.first(
      q
        .selectFrom('webhook')
        .innerJoin('role', 'role.id', 'webhook.roleId')
        .select(['webhook.serverId', 'webhook.roleId', 'webhook.userId'])
        .select(flagNames.map((flag) => `role.${flag}` as const))
        .where('webhook.id', '=', id),
    );
    if (!row) throw new Gone();
    const { serverId, roleId, userId } = row;
    return {
      serverId,
      userId,
      isServerCreator: false,
      roleIds: [roleId],
      flags: effectiveFlags(flagsOf(row)),
    };
  }

  /**
   * Writes how far the holder has come, with the attempt that brought it there if there was one. With `release` it holds the webhook
   * no longer. False if it was no longer its holder: then nothing is written.
   */
  advance(
    webhook: Held,
    progress: Progress,
    attempt: Attempt | undefined,
    release: boolean,
  ): Promise<boolean> {
    return this.#db.write((tx) => this.#advance(tx, webhook, progress, attempt, release));
  }

  /** The same for an attempt after which the webhook is disabled. */
  disable(
    webhook: Held,
    progress: Progress,
    attempt: Attempt,
    reason: 'failing' | 'gone',
    shown: (row: RowOf<'webhook'>) => unknown,
  ): Promise<boolean> {
    const { id, serverId } = webhook;
    return this.#db.write(async (tx) => {
      const row = await tx.first(q.selectFrom('webhook').selectAll().where('id', '=', id));
      if (!row || !(await this.#advance(tx, webhook, progress, attempt, true))) return false;
      const at = this.#nowIn(tx);
      const set = { enabled: false, disabledReason: reason, updatedAt: Math.max(at, row.updatedAt + 1) };
      await tx.run(update('webhook', id, set));
      const data = shown({ ...row, ...set });
      await appendEvent(tx, {
        type: 'webhook.updated',
        logId: serverId,
        actorId: null,
        channelId: row.channelId,
        userId: null,
        at,
        data,
      });
      return true;
    }, serverId);
  }

  async #advance(
    tx: Tx,
    { id, serverId }: Held,
    { cursor, attempt, nextAt }: Progress,
    made: Attempt | undefined,
    release: boolean,
  ): Promise<boolean> {
    const seq = placeOfEventId(serverId, cursor)?.seq ?? 0;
    const moved = q
      .updateTable('webhookState')
      .set({ cursor, seq, attempt, nextAt, ...(release && { owner: null, ownedUntil: 0 }) })
      .where('id', '=', id)
      .where('owner', '=', this.#self);
    if ((await tx.count(moved)) === 0) return false;
    if (made) {
      await tx.run(insert('webhookDelivery', { ...newRow(this.#deps, tx.time()), webhookId: id, ...made }));
    }
    return true;
  }

  #nowIn = (tx: Tx): number => this.#deps.now(tx.time());
}

/** The webhook is no longer there. */
export class Gone extends Error {}
