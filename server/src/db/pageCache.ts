/** Maximum total bytes of all cached pages, and the maximum share of one tenant. */
const MAX_BYTES = 64 * 1024 * 1024;
const TENANT_SHARE = 1 / 2;
/** Maximum bytes of a page to cache. A larger one would displace many others. */
const MAX_PAGE_BYTES = 256 * 1024;
/** Estimated memory overhead of each cached page, in bytes. */
const OBJECT_BYTES = 1_000;
/** Number of tenants to compare when looking for a large one. */
const COMPARED_TENANTS = 8;

/** A page of a channel's messages as JSON. `next` is the cursor of the next page; null on the last page. */
export interface MessagePage {
  /** As in `JsonRows`. */
  json: Uint8Array;
  next: readonly (string | number)[] | null;
}

/** A page with derived values, such as its response and the compressed forms of the response. */
export class CachedPage implements MessagePage {
  /** May be replaced with a view of the same bytes. */
  json: Uint8Array;
  readonly next: MessagePage['next'];
  readonly #derived = new Map<string, unknown>();
  /** Called with the number of additional bytes that derived values take. */
  grow: (bytes: number) => void = () => {};

  constructor({ json, next }: MessagePage) {
    this.json = json;
    this.next = next;
  }

  derived<T>(name: string): T | undefined {
    return this.#derived.get(name) as T | undefined;
  }

  /** Stores a value that was derived from the page. `bytes` is its size in memory. */
  keep<T>(name: string, value: T, bytes: number): T {
    this.#derived.set(name, value);
    this.grow(bytes);
    return value;
  }
}

interface Channel {
  id: string;
  tenant: Tenant;
  pages: Map<string, CachedPage>;
  bytes: number;
  /** Set by lookups. A channel that was used gets a second chance before it is evicted. */
  isUsed: boolean;
}

interface Tenant {
  name: string;
  bytes: number;
  /** The first channel is evicted next, unless it was used. */
  channels: Map<string, Channel>;
}

/** A page that is being read. */
interface Reading {
  isStale: boolean;
}

/**
 * Caches the latest pages of channels. A change to a message invalidates the pages of its channel. A page is
 * never stale: the engine calls `changed` in the same turn of the event loop in which readers can first see
 * the change. A page that was being read at that moment is not cached.
 */
export class PageCache {
  readonly #maxBytes: number;
  readonly #channels = new Map<string, Channel>();
  readonly #tenants = new Map<string, Tenant>();
  readonly #readings = new Map<string, Set<Reading>>();
  #bytes = 0;

  constructor(maxBytes = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all cached pages. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns a channel's cached page with this name. If it is not cached, returns the page from `read`. */
  async page(
    tenant: string,
    channelId: string,
    name: string,
    read: () => Promise<MessagePage>,
  ): Promise<CachedPage> {
    const channel = this.#channels.get(channelId);
    const known = channel?.pages.get(name);
    if (channel && known) {
      channel.isUsed = true;
      return known;
    }
    const reading = { isStale: false };
    const readings = this.#readings.get(channelId) ?? new Set();
    this.#readings.set(channelId, readings.add(reading));
    try {
      const page = new CachedPage(await read());
      if (!reading.isStale) this.#add(tenant, channelId, name, page);
      return page;
    } finally {
      readings.delete(reading);
      if (readings.size === 0 && this.#readings.get(channelId) === readings) this.#readings.delete(channelId);
    }
  }

  /** Invalidates the pages of a channel. Call this when one of its messages has changed. */
  changed(channelId: string): void {
    this.#outdate(channelId);
    const channel = this.#channels.get(channelId);
    if (channel) this.#remove(channel);
  }

  /** Clears the cache. Call this when it is not known which messages have changed. */
  clear(): void {
    for (const channelId of this.#readings.keys()) this.#outdate(channelId);
    for (const channel of this.#channels.values()) this.#remove(channel);
  }

  #outdate(channelId: string): void {
    const readings = this.#readings.get(channelId);
    if (!readings) return;
    for (const reading of readings) reading.isStale = true;
    this.#readings.delete(channelId);
  }

  #add(tenantName: string, channelId: string, name: string, page: CachedPage): void {
    if (page.json.length > MAX_PAGE_BYTES) return;
    const channel = this.#channels.get(channelId) ?? this.#addChannel(tenantName, channelId);
    // The page is not cached if another request has cached it in the meantime.
    if (channel.pages.has(name)) return;
    channel.pages.set(name, page);
    page.grow = (bytes) => this.#grow(channel, bytes);
    page.grow(page.json.length + OBJECT_BYTES);
  }

  #addChannel(name: string, id: string): Channel {
    const tenant = this.#tenants.get(name) ?? { name, bytes: 0, channels: new Map() };
    this.#tenants.set(name, tenant);
    const channel: Channel = { id, tenant, pages: new Map(), bytes: 0, isUsed: false };
    tenant.channels.set(id, channel);
    this.#channels.set(id, channel);
    return channel;
  }

  #grow(channel: Channel, bytes: number): void {
    const { tenant } = channel;
    channel.bytes += bytes;
    tenant.bytes += bytes;
    this.#bytes += bytes;
    while (tenant.bytes > this.#maxBytes * TENANT_SHARE) this.#evictOne(tenant);
    while (this.#bytes > this.#maxBytes) this.#evictOne(this.#largeTenant());
  }

  /** Returns the largest of the next few tenants, and moves them to the end of the comparison order. */
  #largeTenant(): Tenant {
    let largest: Tenant | undefined;
    let compared = 0;
    for (const [name, tenant] of this.#tenants) {
      if (compared++ === COMPARED_TENANTS) break;
      if (!largest || tenant.bytes > largest.bytes) largest = tenant;
      this.#tenants.delete(name);
      this.#tenants.set(name, tenant);
    }
    return largest as Tenant;
  }

  /** Evicts a channel of a tenant. Channels that were used move to the back of the queue. */
  #evictOne({ channels }: Tenant): void {
    for (const [id, channel] of channels) {
      if (!channel.isUsed) {
        this.#remove(channel);
        return;
      }
      channel.isUsed = false;
      channels.delete(id);
      channels.set(id, channel);
    }
  }

  #remove(channel: Channel): void {
    const { id, tenant, pages, bytes } = channel;
    for (const page of pages.values()) page.grow = () => {};
    this.#channels.delete(id);
    tenant.channels.delete(id);
    tenant.bytes -= bytes;
    this.#bytes -= bytes;
    if (tenant.channels.size === 0) this.#tenants.delete(tenant.name);
  }
}
