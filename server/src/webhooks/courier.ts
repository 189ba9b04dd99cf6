import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import type { LoggedEvent } from '../feed/logged.ts';
import type { Gap } from '../feed/positions.ts';
import type { Filter } from '../feed/span.ts';
import { asWhole, readFor } from '../feed/whole.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';

import { Backlog } from './backlog.ts';
import type { WebhookFigures } from './figures.ts';
import { Journal } from './journal.ts';
import { delayAfter, retryAfterOf } from './schedule.ts';
import type { Outcome, WebhookRequest } from './send.ts';
import type { Slots } from './slots.ts';
import type { Attempt, ClaimedWebhook, Store } from './store.ts';

/** An idle webhook is released after this time. */
const RELEASE_AFTER_MS = 5_000;
/** How often the cursor is stored while a busy server has no events for the webhook. */
const SAVE_INTERVAL_MS = 5_000;

/** The context that all deliveries share. */
export interface DeliveryContext {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  store: Store;
  figures: WebhookFigures;
  /** Concurrency limits. Retries have their own, so that they never delay first attempts. */
  slots: { first: Slots; retry: Slots };
  send(request: WebhookRequest): Promise<Outcome>;
  /** Converts a webhook to its record, as it appears in events. */
  toRecord(row: RowOf<'webhook'>): unknown;
  onDisabled(webhook: ClaimedWebhook, reason: 'failing' | 'gone'): void;
  /** Whether this node holds the lease of a claimed webhook. False once the lease may have expired. */
  hasLease(webhookId: string): boolean;
}

/**
 * Delivers the events for one claimed webhook in order: each is sent once the previous one was accepted.
 * Resolves when the webhook is idle, an attempt failed, the webhook was changed, or the lease was lost.
 * `signal` stops it after the current event.
 */
export async function deliver(
  context: DeliveryContext,
  webhookId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, feed, store } = context;
  const version = db.authorityVersion();
  const webhook = await store.load(webhookId);
  if (!webhook) return;
  const { types, channelId } = filterOf(feed.events, webhook);
  const reader = await feed.reader(webhook.serverId, { types: types && readFor(types), channelId }, () =>
    store.viewer(webhookId),
  );
  const backlog = new Backlog(db, reader, webhook, {
    onGap: (gap, cursor) => noteGap(store, webhook, gap, cursor),
    shown: (event) => asWhole(event, types, feed.events),
  });
  const journal = new Journal(store, webhook);
  const state = { version, attempt: webhook.attempt, savedAt: performance.now(), backlog, journal };
  try {
    await backlog.open();
    while (!signal.aborted && (await isUnchanged(context, webhook, state))) {
      const event = await backlog.head();
      if (!event) {
        if (!(await waitForMore(context, webhook, state, signal))) return;
        continue;
      }
      const slots = state.attempt === 0 ? context.slots.first : context.slots.retry;
      const goesOn = await slots.use(webhook.serverId, async () => {
        // Permissions or the webhook may have changed during the wait for a slot.
        const event = await backlog.head();
        if (!event || signal.aborted || !(await isUnchanged(context, webhook, state))) return true;
        return attempt(context, webhook, event, state);
      });
      if (!goesOn) return;
    }
    if (context.hasLease(webhookId)) await save(store, webhook, state, state.attempt, true);
  } finally {
    reader.close();
    // When this node claims the webhook again, no write may be pending.
    await journal.flush().catch(() => {});
  }
}

interface DeliveryState {
  /** The `authorityVersion` at which the webhook was loaded. */
  version: number;
  /** The number of failed attempts for the first event. */
  attempt: number;
  /**
   * When the cursor was last stored while there were no events for the webhook, on the clock of
   * `performance.now()`.
   */
  savedAt: number;
  readonly backlog: Backlog;
  readonly journal: Journal;
}

/**
 * Returns false if the webhook was changed, or if another node may have claimed it. The delivery then
 * starts over.
 */
async function isUnchanged(
  { db, store, hasLease }: DeliveryContext,
  webhook: ClaimedWebhook,
  state: DeliveryState,
): Promise<boolean> {
  if (!hasLease(webhook.id)) return false;
  const version = db.authorityVersion();
  if (!db.authorityHasChanged(state.version, { serverId: webhook.serverId, userId: null })) return true;
  const current = await store.load(webhook.id);
  state.version = version;
  return current?.updatedAt === webhook.updatedAt;
}

/** Waits for more events. If none arrive, releases the webhook and returns false. */
async function waitForMore(
  { store }: DeliveryContext,
  webhook: ClaimedWebhook,
  state: DeliveryState,
  signal: AbortSignal,
): Promise<boolean> {
  const { backlog } = state;
  if (backlog.isAtEnd) await backlog.wait(RELEASE_AFTER_MS, signal);
  if (backlog.isAtEnd) {
    await save(store, webhook, state, 0, true);
    return false;
  }
  // Many events in a row were not for this webhook. The position after them is stored at intervals.
  if (performance.now() - state.savedAt < SAVE_INTERVAL_MS) return true;
  state.savedAt = performance.now();
  return save(store, webhook, state, 0, false);
}

async function save(
  store: Store,
  webhook: ClaimedWebhook,
  { journal, backlog }: DeliveryState,
  attempt: number,
  release: boolean,
): Promise<boolean> {
  if (!(await journal.flush())) return false;
  return store.advance(webhook, { cursor: backlog.cursor, attempt, nextAt: null }, [], release);
}

/**
 * Sends one event and records the outcome. Returns false if the webhook was released or the lease was lost.
 */
async function attempt(
  context: DeliveryContext,
  webhook: ClaimedWebhook,
  { id, type, json, at: happenedAt }: LoggedEvent,
  state: DeliveryState,
): Promise<boolean> {
  const { deps, figures, store } = context;
  const { backlog, journal } = state;
  const outcome = await sendTo(context, webhook, id, json);
  const { status, error, ms } = outcome;
  const made: Attempt = { eventId: id, type, attempt: state.attempt + 1, status, error, ms, nextAt: null };
  const now = store.now();
  if (outcome.name === 'accepted') {
    figures.onAccepted(Math.max(0, now - happenedAt) / 1000);
    state.attempt = 0;
    backlog.pass();
    const isOwner = await journal.note(made, backlog.cursor);
    if (backlog.isEmpty) journal.begin();
    return isOwner;
  }
  if (!(await journal.flush())) return false;
  const { cursor } = backlog;
  const random = (deps.randomBytes(1)[0] as number) / 255;
  const delay = delayAfter(made.attempt, retryAfterOf(outcome.retryAfter, now), random);
  if (status === 410 || delay === undefined) {
    const reason = status === 410 ? 'gone' : 'failing';
    const disabled = await store.disable(
      webhook,
      { cursor, attempt: 0, nextAt: null },
      made,
      reason,
      context.toRecord,
    );
    if (disabled) context.onDisabled(webhook, reason);
    return false;
  }
  const nextAt = now + delay;
  await store.advance(webhook, { cursor, attempt: made.attempt, nextAt }, [{ ...made, nextAt }], true);
  return false;
}

/** Sends a body once, signed with the webhook's current secrets. */
export async function sendTo(
  { send, seal, store, figures }: DeliveryContext,
  webhook: Pick<RowOf<'webhook'>, 'id' | 'url' | 'sealed' | 'earlier'>,
  id: string,
  body: string,
): Promise<Outcome> {
  const at = store.now();
  const secrets = secretsOf(webhook, seal, at);
  const outcome = await send({ url: webhook.url as string, secrets, id, body, at });
  figures.attempts[outcome.name]++;
  return outcome;
}

/** Returns the secrets with which to sign at a given time, the current one first. */
function secretsOf(
  { id, sealed, earlier }: Pick<RowOf<'webhook'>, 'id' | 'sealed' | 'earlier'>,
  seal: Seal,
  at: number,
): string[] {
  const live = earlier.filter(({ until }) => until > at);
  return [
    seal.open(sealed as string, { table: 'webhook', column: 'sealed', id }),
    ...live.map(({ sealed }) => seal.open(sealed, { table: 'webhook', column: 'earlier', id })),
  ];
}

/** Records a gap in the log as a delivery, and moves the cursor past it. */
async function noteGap(
  store: Store,
  webhook: ClaimedWebhook,
  { reason, oldest, latest }: Gap,
  cursor: string,
): Promise<void> {
  const error =
    reason === 'expired'
      ? 'the events after this one are no longer kept. Delivery continues with the oldest remaining event'
      : 'the log no longer has this event, for example after restoring a backup. Delivery continues with new events';
  const made = { eventId: cursor, type: 'gap', attempt: 0, status: null, error, ms: 0, nextAt: null };
  const next = reason === 'expired' ? oldest : latest;
  await store.advance(webhook, { cursor: next, attempt: 0, nextAt: null }, [made], false);
}

/** Returns the filter of a webhook. `message.*` also matches types that later versions add. */
function filterOf(
  events: EventTable,
  { types, channelId }: Pick<RowOf<'webhook'>, 'types' | 'channelId'>,
): Filter {
  return {
    types:
      types === null
        ? undefined
        : new Set(types.flatMap((name) => events.named(name).map(({ type }) => type))),
    channelId: channelId ?? undefined,
  };
}
