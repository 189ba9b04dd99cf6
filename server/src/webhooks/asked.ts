import { StorageError } from '../db/contract.ts';
import { cursorBefore } from '../feed/positions.ts';
import { asWhole } from '../feed/whole.ts';
import type { Outage } from '../lib/outage.ts';
import { type AskedDelivery, AskedStore } from './askedStore.ts';
import { type DeliveryContext, sendTo } from './courier.ts';
import { WebhookGone } from './reasons.ts';

/** The event type of a ping. It does not appear in any log. */
export const PING = 'ping';
/**
 * Maximum concurrent requests, in total and per server. A server that has no request in progress may always
 * send one.
 */
const MAX_REQUESTS = 100;
const MAX_REQUESTS_OF_SERVER = 5;
/** Number of deliveries to claim per poll. */
const MAX_TAKEN = 50;

/**
 * Sends requested deliveries: pings and redeliveries. Each is a single attempt outside the webhook's
 * sequence: it neither moves the webhook's cursor nor disables the webhook.
 */
export class AskedDeliveries {
  readonly #context: DeliveryContext;
  readonly #store: AskedStore;
  readonly #signal: AbortSignal;
  readonly #outage: Outage;
  readonly #underWay = new Set<Promise<void>>();
  /** The number of running requests by server. */
  readonly #ofServer = new Map<string, number>();

  /** Claims nothing once `signal` is aborted. `outage` receives database errors. */
  constructor(context: DeliveryContext, signal: AbortSignal, outage: Outage) {
    this.#signal = signal;
    this.#context = context;
    this.#store = new AskedStore(context.db, context.store.now);
    this.#outage = outage;
  }

  /** Claims queued deliveries and starts sending them. */
  async look(): Promise<void> {
    const busy = [...this.#ofServer.keys()].filter((serverId) => !this.#hasRoom(serverId, 0, 0));
    const waiting = await this.#store.waiting(MAX_TAKEN, busy);
    const chosen: AskedDelivery[] = [];
    const more = new Map<string, number>();
    for (const delivery of waiting) {
      const { serverId } = delivery.webhook;
      const count = more.get(serverId) ?? 0;
      if (!this.#hasRoom(serverId, count, chosen.length)) continue;
      more.set(serverId, count + 1);
      chosen.push(delivery);
    }
    if (chosen.length === 0 || this.#signal.aborted) return;
    const taken = new Set(await this.#store.take(chosen.map(({ id }) => id)));
    if (this.#signal.aborted) return;
    for (const delivery of chosen) if (taken.has(delivery.id)) this.#begin(delivery);
  }

  /** Resolves when no delivery is running. */
  async end(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  #hasRoom(serverId: string, more: number, moreOfAll: number): boolean {
    const count = (this.#ofServer.get(serverId) ?? 0) + more;
    return count === 0 || (count < MAX_REQUESTS_OF_SERVER && this.#underWay.size + moreOfAll < MAX_REQUESTS);
  }

  #begin(delivery: AskedDelivery): void {
    const { serverId } = delivery.webhook;
    this.#ofServer.set(serverId, (this.#ofServer.get(serverId) ?? 0) + 1);
    const running = this.#outage
      .watch(() => this.#deliver(delivery))
      .finally(() => {
        this.#underWay.delete(running);
        const left = (this.#ofServer.get(serverId) ?? 1) - 1;
        if (left > 0) this.#ofServer.set(serverId, left);
        else this.#ofServer.delete(serverId);
      });
    this.#underWay.add(running);
  }

  async #deliver(delivery: AskedDelivery): Promise<void> {
    try {
      await this.#attempt(delivery);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      // Stores the failure. Otherwise, the delivery would be claimed again and again.
      await this.#store.settle(delivery.id, { status: null, error: (error as Error).message, ms: 0 });
    }
  }

  async #attempt({ id, eventId, type, webhook }: AskedDelivery): Promise<void> {
    const body = type === PING ? this.#pingOf(eventId, webhook) : await this.#eventOf(eventId, webhook);
    if (body === undefined) {
      const error = "the event is no longer kept, or the webhook's role can no longer see it";
      await this.#store.settle(id, { status: null, error, ms: 0 });
      return;
    }
    const { status, error, ms } = await sendTo(this.#context, webhook, eventId, body);
    await this.#store.settle(id, { status, error, ms });
  }

  #pingOf(id: string, webhook: AskedDelivery['webhook']): string {
    const { store, toRecord } = this.#context;
    const { serverId } = webhook;
    return JSON.stringify({
      id,
      type: PING,
      serverId,
      actorId: null,
      actor: 'system',
      at: store.now(),
      data: toRecord(webhook),
    });
  }

  /** Returns the body of an event if the webhook's role may see it now; otherwise undefined. */
  async #eventOf(
    id: string,
    { id: webhookId, serverId }: AskedDelivery['webhook'],
  ): Promise<string | undefined> {
    const { db, feed, store } = this.#context;
    const before = await cursorBefore(db.read, serverId, id);
    if (before === undefined) return undefined;
    const reader = await feed.reader(serverId, {}, () => store.viewer(webhookId));
    try {
      await reader.seek(before);
      const [event] = await reader.next(1);
      return event?.id === id ? asWhole(event, undefined, feed.events)?.json : undefined;
    } catch (error) {
      if (error instanceof WebhookGone) return undefined;
      throw error;
    } finally {
      reader.close();
    }
  }
}
