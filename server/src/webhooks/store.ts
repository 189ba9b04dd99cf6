import { sql } from 'kysely';
import type { Viewer } from '../access/visibility.ts';
import type { Db, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, prepare, q, update } from '../db/statements.ts';
import { positionOfEventId } from '../feed/eventId.ts';
import { appendEvent } from '../feed/log.ts';
import { type Deps, newRow } from '../lib/deps.ts';
import { effectiveFlags, flagNames, flagsOf } from '../lib/flags.ts';
import { WebhookGone } from './reasons.ts';

/** How long a claim lasts unless it is renewed, in milliseconds. */
export const LEASE_MS = 15_000;

/** A webhook's progress in its log. */
export interface Progress {
  /** The cursor after the last accepted event. */
  cursor: string;
  /** The number of failed attempts for the event after the cursor. */
  attempt: number;
  /** When to retry, in milliseconds since the Unix epoch; null if nothing has failed. */
  nextAt: number | null;
}

export type Attempt = Pick<
  RowOf<'webhookDelivery'>,
  'eventId' | 'type' | 'attempt' | 'status' | 'error' | 'ms' | 'nextAt'
>;

/** A webhook that this node has claimed, with its progress. */
export type ClaimedWebhook = RowOf<'webhook'> & Pick<RowOf<'webhookState'>, 'cursor' | 'attempt'>;

/**
 * The webhooks to check: these ids, an id range (`after` exclusive, `to` inclusive), or, with `due`, those
 * with a due retry or a lease that expired without a release.
 */
export type Scope = { ids: readonly string[] } | { after: string; to: string } | 'due';

const idAfter = prepare((p: { after: string; offset: number }) =>
  q
    .selectFrom('webhookState')
    .select('id')
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(p.offset),
);

/**
 * Webhook state in the database. A node claims a webhook before it sends events: the row's `owner` is the
 * node's name until the lease expires. Writes by a node that no longer owns the row have no effect
 * (fencing).
 */
export class Store {
  readonly #db: Db;
  readonly #deps: Pick<Deps, 'now' | 'newId'>;
  readonly #self: string;

  /** `self` is this node's name, which is new on each start. */
  constructor(db: Db, deps: Pick<Deps, 'now' | 'newId'>, self: string) {
    this.#db = db;
    this.#deps = deps;
    this.#self = self;
  }

  /** Returns the time on the clock that all nodes share, in milliseconds since the Unix epoch. */
  now = (): number => this.#deps.now();

  /** Returns the enabled outgoing webhooks of the given servers. */
  enabledOf(serverIds: readonly string[]): Promise<{ id: string; serverId: string }[]> {
    return this.#db.read.all(
      q
        .selectFrom('webhook')
        .select(['id', 'serverId'])
        .where('serverId', 'in', serverIds)
        // The value is a literal, because SQLite would not use the partial index with a parameter.
        .where('direction', '=', sql.lit('out'))
        .where('enabled', '=', true),
    );
  }

  /** Returns the last of the `count` webhooks after an id, in id order; undefined if fewer are left. */
  async endAfter(after: string, count: number): Promise<string | undefined> {
    return (await this.#db.read.first(idAfter({ after, offset: count - 1 })))?.id;
  }

  /**
   * Returns webhooks with unsent events that no other node has claimed. With `due`, returns up to `limit` and
   * skips the servers in `except`.
   */
  async waiting(
    scope: Scope,
    limit: number,
    except: readonly string[],
  ): Promise<{ id: string; serverId: string; creatorId: string; isOfAdmin: boolean }[]> {
    const now = this.now();
    let rows = q
      .selectFrom('webhookState as state')
      .innerJoin('webhook', 'webhook.id', 'state.id')
      .innerJoin('server', 'server.id', 'state.serverId')
      .innerJoin('user as owner', 'owner.id', 'server.creatorId')
      .select(['state.id', 'state.serverId', 'server.creatorId', 'owner.platformAdmin as isOfAdmin'])
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
      );
    if (scope === 'due') {
      // Each part uses its own index. With `or`, SQLite would scan all webhooks.
      const retries = q.selectFrom('webhookState').select('id').where('nextAt', '<=', now);
      const left = q.selectFrom('webhookState').select('id').where('owner', 'is not', null);
      const due = retries.unionAll(left.where('ownedUntil', '<=', now));
      rows = rows.where('state.id', 'in', due).limit(limit);
      if (except.length > 0) rows = rows.where('state.serverId', 'not in', except);
    } else if ('ids' in scope) {
      rows = rows.where('state.id', 'in', scope.ids);
    } else {
      rows = rows.where('state.id', '>', scope.after).where('state.id', '<=', scope.to);
    }
    return this.#db.read.all(rows);
  }

  /** Selects the webhooks that another node has claimed or that are waiting for a retry. */
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

  /** Claims webhooks for this node. Returns the ids that it claimed. */
  claim(ids: readonly string[]): Promise<string[]> {
    return this.#db.write(async (tx) => {
      const state = q
        .selectFrom('webhookState')
        .select(['id', 'owner', 'ownedUntil', 'nextAt'])
        .where('id', 'in', ids);
      // The transaction's time is available only after its first read.
      await tx.all(state);
      const now = this.#nowIn(tx);
      await tx.count(
        q
          .updateTable('webhookState')
          .set({ owner: this.#self, ownedUntil: now + LEASE_MS })
          .where('id', 'in', ids)
          .where((eb) =>
            eb.or([eb('owner', 'is', null), eb('owner', '=', this.#self), eb('ownedUntil', '<=', now)]),
          )
          .where((eb) => eb.or([eb('nextAt', 'is', null), eb('nextAt', '<=', now)])),
      );
      return (await tx.all(state)).filter(({ owner }) => owner === this.#self).map(({ id }) => id);
    });
  }

  /** Renews the leases of claimed webhooks. Returns the ids that this node still owns. */
  renew(ids: readonly string[]): Promise<string[]> {
    const mine = q
      .selectFrom('webhookState')
      .select('id')
      .where('id', 'in', ids)
      .where('owner', '=', this.#self);
    return this.#db.write(async (tx) => {
      await tx.count(
        q
          .updateTable('webhookState')
          .set({ ownedUntil: this.now() + LEASE_MS })
          .where('id', 'in', ids)
          .where('owner', '=', this.#self),
      );
      return (await tx.all(mine)).map(({ id }) => id);
    });
  }

  /** Releases all of this node's webhooks, so that other nodes can take over immediately. */
  async releaseAll(): Promise<void> {
    const free = q
      .updateTable('webhookState')
      .set({ owner: null, ownedUntil: 0 })
      .where('owner', '=', this.#self);
    await this.#db.write((tx) => tx.run(free));
  }

  /** Returns the webhook; undefined unless this node still owns it and it is enabled. */
  load(id: string): Promise<ClaimedWebhook | undefined> {
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

  /** Returns the webhook as a viewer, with the flags of its role. Throws WebhookGone if it was deleted. */
  async viewer(id: string): Promise<Viewer> {
    const row = await this.#db.read.first(
      q
        .selectFrom('webhook')
        .innerJoin('role', 'role.id', 'webhook.roleId')
        .select(['webhook.serverId', 'webhook.roleId', 'webhook.userId'])
        .select(flagNames.map((flag) => `role.${flag}` as const))
        .where('webhook.id', '=', id),
    );
    if (!row) throw new WebhookGone();
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
   * Stores progress and the attempts that led to it. With `release`, also ends the claim. Returns false and
   * writes nothing if this node no longer owns the webhook.
   */
  advance(
    webhook: ClaimedWebhook,
    progress: Progress,
    attempts: readonly Attempt[],
    release: boolean,
  ): Promise<boolean> {
    return this.#db.write((tx) => this.#advance(tx, webhook, progress, attempts, release));
  }

  /** Like `advance` with `release`, but also disables the webhook and emits the event. */
  disable(
    webhook: ClaimedWebhook,
    progress: Progress,
    attempt: Attempt,
    reason: 'failing' | 'gone',
    toRecord: (row: RowOf<'webhook'>) => unknown,
  ): Promise<boolean> {
    const { id, serverId } = webhook;
    return this.#db.write(async (tx) => {
      const row = await tx.first(q.selectFrom('webhook').selectAll().where('id', '=', id));
      if (!row || !(await this.#advance(tx, webhook, progress, [attempt], true))) return false;
      const at = this.#nowIn(tx);
      const set = { enabled: false, disabledReason: reason, updatedAt: Math.max(at, row.updatedAt + 1) };
      await tx.run(update('webhook', id, set));
      const data = toRecord({ ...row, ...set });
      await appendEvent(tx, {
        type: 'webhook.updated',
        logId: serverId,
        actorId: null,
        actor: 'system',
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
    { id, serverId }: ClaimedWebhook,
    { cursor, attempt, nextAt }: Progress,
    attempts: readonly Attempt[],
    release: boolean,
  ): Promise<boolean> {
    const seq = positionOfEventId(serverId, cursor)?.seq ?? 0;
    const moved = q
      .updateTable('webhookState')
      .set({ cursor, seq, attempt, nextAt, ...(release && { owner: null, ownedUntil: 0 }) })
      .where('id', '=', id)
      .where('owner', '=', this.#self);
    if ((await tx.count(moved)) === 0) return false;
    for (const made of attempts)
      await tx.run(insert('webhookDelivery', { ...newRow(this.#deps, tx.time()), webhookId: id, ...made }));
    return true;
  }

  #nowIn = (tx: Tx): number => this.#deps.now(tx.time());
}
