import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import type { LoggedEvent } from '../feed/logged.ts';
import type { Gap } from '../feed/places.ts';
import type { Filter } from '../feed/span.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';

import { Backlog } from './backlog.ts';
import { delayAfter, retryAfterOf } from './schedule.ts';
import type { Outcome, WebhookRequest } from './send.ts';
import type { Slots } from './slots.ts';
import type { Attempt, ClaimedWebhook, Store } from './store.ts';

/** A webhook with nothing to send is released after this time. */
const RELEASE_AFTER_MS = 5_000;
/** While no event of a busy server is for the webhook, its cursor is stored this often. */
const SAVE_INTERVAL_MS = 5_000;

/** The dependencies of all deliveries. */
export interface DeliveryContext {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  store: Store;
  /** Limits of concurrent requests. Retries have their own, so that they never delay first attempts. */
  slots: { first: Slots; retry: Slots };
  send(request: WebhookRequest): Promise<Outcome>;
  /** The record of a webhook, as its events show it. */
  toRecord(row: RowOf<'webhook'>): unknown;
  onDisabled(webhook: ClaimedWebhook, reason: string): void;
  /** False once the leases of the claimed webhooks may have ended. */
  hasLease(): boolean;
}

/**
 * Delivers the events of one claimed webhook, in order: an event is sent after the one before was accepted and the
 * cursor stored. Resolves when there is nothing to send for a while, when an attempt has failed, or when the webhook
 * was changed or its lease lost. `signal` stops it after the event under way.
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
  const reader = await feed.reader(webhook.serverId, filterOf(feed.events, webhook), () =>
    store.viewer(webhookId),
  );
  const backlog = new Backlog(db, reader, webhook.cursor, (gap, cursor) =>
    noteGap(store, webhook, gap, cursor),
  );
  const state = { version, attempt: webhook.attempt, savedAt: performance.now() };
  try {
    await backlog.open();
    while (!signal.aborted && (await isUnchanged(context, webhook, state))) {
      const event = await backlog.head();
      if (!event) {
        if (!(await waitForMore(context, webhook, backlog, state, signal))) return;
        continue;
      }
      const slots = state.attempt === 0 ? context.slots.first : context.slots.retry;
      const goesOn = await slots.use(async () => {
        // Permissions or the webhook may have changed while it waited for the slot.
        const event = await backlog.head();
        if (!event || signal.aborted || !(await isUnchanged(context, webhook, state))) return true;
        return attempt(context, webhook, backlog, event, state);
      });
      if (!goesOn) return;
    }
    if (context.hasLease()) await save(store, webhook, backlog, state.attempt, true);
  } finally {
    reader.close();
  }
}

interface DeliveryState {
  /** The `authorityVersion` at which the webhook was loaded. */
  version: number;
  /** Failed attempts at the event at the head. */
  attempt: number;
  /** When the cursor was last stored, by `performance.now()`. */
  savedAt: number;
}

/** False if the webhook was changed, or another node may have claimed it: the delivery then starts again. */
async function isUnchanged(
  { db, store, hasLease }: DeliveryContext,
  webhook: ClaimedWebhook,
  state: DeliveryState,
): Promise<boolean> {
  if (!hasLease()) return false;
  const version = db.authorityVersion();
  if (version === state.version) return true;
  const current = await store.load(webhook.id);
  state.version = version;
  return current?.updatedAt === webhook.updatedAt;
}

/** Waits for more events. If none come, releases the webhook and returns false. */
async function waitForMore(
  { store }: DeliveryContext,
  webhook: ClaimedWebhook,
  backlog: Backlog,
  state: DeliveryState,
  signal: AbortSignal,
): Promise<boolean> {
  if (backlog.isAtEnd) await backlog.wait(RELEASE_AFTER_MS, signal);
  if (backlog.isAtEnd) {
    await save(store, webhook, backlog, 0, true);
    return false;
  }
  // The events since then are not for this webhook.
  if (performance.now() - state.savedAt < SAVE_INTERVAL_MS) return true;
  state.savedAt = performance.now();
  return save(store, webhook, backlog, 0, false);
}

const save = (
  store: Store,
  webhook: ClaimedWebhook,
  { cursor }: Backlog,
  attempt: number,
  release: boolean,
): Promise<boolean> => store.advance(webhook, { cursor, attempt, nextAt: null }, undefined, release);

/** Sends one event, and stores the outcome. False if the webhook was released or the lease was lost. */
async function attempt(
  context: DeliveryContext,
  webhook: ClaimedWebhook,
  backlog: Backlog,
  { id, type, json }: LoggedEvent,
  state: DeliveryState,
): Promise<boolean> {
  const { deps, seal, store } = context;
  const at = store.now();
  const { url, sealed, earlier } = webhook;
  const secrets = [
    sealed as string,
    ...earlier.filter(({ until }) => until > at).map(({ sealed }) => sealed),
  ];
  const outcome = await context.send({
    url: url as string,
    secrets: secrets.map((secret) => seal.open(secret)),
    id,
    body: json,
    at,
  });
  const { accepted, status, error, ms } = outcome;
  const made: Attempt = { eventId: id, type, attempt: state.attempt + 1, status, error, ms, nextAt: null };
  if (accepted) {
    state.attempt = 0;
    backlog.pass();
    return store.advance(webhook, { cursor: backlog.cursor, attempt: 0, nextAt: null }, made, false);
  }
  const { cursor } = backlog;
  const now = store.now();
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
  await store.advance(webhook, { cursor, attempt: made.attempt, nextAt }, { ...made, nextAt }, true);
  return false;
}

/** Stores a gap in the log among the deliveries, and moves the cursor over it. */
async function noteGap(
  store: Store,
  webhook: ClaimedWebhook,
  { reason, oldest, latest }: Gap,
  cursor: string,
): Promise<void> {
  const error =
    reason === 'expired'
      ? 'events after this one are no longer kept: sending goes on with the oldest event that is'
      : 'the log no longer has this event, as after a restored backup: sending goes on with new events';
  const made = { eventId: cursor, type: 'gap', attempt: 0, status: null, error, ms: 0, nextAt: null };
  const next = reason === 'expired' ? oldest : latest;
  await store.advance(webhook, { cursor: next, attempt: 0, nextAt: null }, made, false);
}

/** The filter of a webhook. `message.*` also matches types that later versions add. */
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
