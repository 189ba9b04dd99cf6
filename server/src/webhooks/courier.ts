import type { Db } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import type { EventTable } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import type { LoggedEvent } from '../feed/logged.ts';
import type { Gap } from '../feed/places.ts';
import type { Filter } from '../feed/tail.ts';
import type { Deps } from '../lib/deps.ts';
import type { Seal } from '../lib/seal.ts';

import { Backlog } from './backlog.ts';
import { delayAfter, retryAfterOf } from './schedule.ts';
import type { Outcome, Parcel } from './send.ts';
import type { Slots } from './slots.ts';
import type { Attempt, Held, Store } from './store.ts';

/** How long a webhook is held on to with nothing to send, and how often at least its progress is written, in milliseconds. */
const IDLE = 5_000;

/** What couriers share. */
export interface Office {
  db: Db;
  deps: Deps;
  feed: Feed;
  seal: Seal;
  store: Store;
  /** Requests at once: of those that go well, and of those that have failed, so that these never keep those waiting. */
  slots: { fresh: Slots; failed: Slots };
  send(parcel: Parcel): Promise<Outcome>;
  /** The record of a webhook, as its event shows it. */
  shown(row: RowOf<'webhook'>): unknown;
  /** Told of a webhook that was disabled. */
  onDisabled(webhook: Held, reason: string): void;
  /** True while what is held is certainly held. */
  isHolding(): boolean;
}

/**
 * Brings one webhook its events, one after the other, for as long as there are some: the next one is sent once the one before
 * was accepted and that was written down. Resolves when there is nothing more to send just now, an attempt has failed, or the webhook
 * is somebody else's. `signal` has it stop after the event under way.
 */
export async function deliver(office: Office, webhookId: string, signal: AbortSignal): Promise<void> {
  const { db, feed, store } = office;
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
    while (!signal.aborted && (await isAsBefore(office, webhook, state))) {
      const event = await backlog.head();
      if (!event) {
        if (!(await rest(office, webhook, backlog, state, signal))) return;
        continue;
      }
      const slots = state.attempt === 0 ? office.slots.fresh : office.slots.failed;
      const goesOn = await slots.use(async () => {
        // While it waited for its turn, who sees the event may have changed, and so may everything else.
        const event = await backlog.head();
        if (!event || signal.aborted || !(await isAsBefore(office, webhook, state))) return true;
        return attempt(office, webhook, backlog, event, state);
      });
      if (!goesOn) return;
    }
    if (office.isHolding()) await save(store, webhook, backlog, state.attempt, true);
  } finally {
    reader.close();
  }
}

interface State {
  version: number;
  /** Attempts at the event at the head that have failed. */
  attempt: number;
  savedAt: number;
}

/** False if the webhook was changed, or may be held by another: whoever holds it then begins anew. */
async function isAsBefore({ db, store, isHolding }: Office, webhook: Held, state: State): Promise<boolean> {
  if (!isHolding()) return false;
  const version = db.authorityVersion();
  if (version === state.version) return true;
  const now = await store.load(webhook.id);
  state.version = version;
  return now?.updatedAt === webhook.updatedAt;
}

/** Waits for more, or lets go of the webhook if nothing comes: then false. */
async function rest(
  { store }: Office,
  webhook: Held,
  backlog: Backlog,
  state: State,
  signal: AbortSignal,
): Promise<boolean> {
  if (backlog.isAtEnd) await backlog.wait(IDLE, signal);
  if (backlog.isAtEnd) {
    await save(store, webhook, backlog, 0, true);
    return false;
  }
  // On a busy server whose events are not for it.
  if (performance.now() - state.savedAt < IDLE) return true;
  state.savedAt = performance.now();
  return save(store, webhook, backlog, 0, false);
}

const save = (
  store: Store,
  webhook: Held,
  { cursor }: Backlog,
  attempt: number,
  release: boolean,
): Promise<boolean> => store.advance(webhook, { cursor, attempt, nextAt: null }, undefined, release);

/** Sends one event, and writes down what became of it. False once the webhook is held no longer. */
async function attempt(
  office: Office,
  webhook: Held,
  backlog: Backlog,
  { id, type, json }: LoggedEvent,
  state: State,
): Promise<boolean> {
  const { deps, seal, store } = office;
  const at = store.now();
  const { url, sealed, earlier } = webhook;
  const secrets = [
    sealed as string,
    ...earlier.filter(({ until }) => until > at).map(({ sealed }) => sealed),
  ];
  const outcome = await office.send({
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
      office.shown,
    );
    if (disabled) office.onDisabled(webhook, reason);
    return false;
  }
  const nextAt = now + delay;
  await store.advance(webhook, { cursor, attempt: made.attempt, nextAt }, { ...made, nextAt }, true);
  return false;
}

/** Notes among the attempts that events were lost. */
async function noteGap(
  store: Store,
  webhook: Held,
  { reason, oldest, latest }: Gap,
  cursor: string,
): Promise<void> {
  const error =
    reason === 'expired'
      ? 'events after this one are no longer kept: it goes on with the oldest that are'
      : 'the log does not know this event, as after a restored backup: it goes on with what comes now';
  const made = { eventId: cursor, type: 'gap', attempt: 0, status: null, error, ms: 0, nextAt: null };
  const next = reason === 'expired' ? oldest : latest;
  await store.advance(webhook, { cursor: next, attempt: 0, nextAt: null }, made, false);
}

/** What of the log a webhook wants. `message.*` takes in the types of later versions too. */
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
