import { ApiError, invalid } from '../../errors.ts';
import { late } from '../../lib/late.ts';
import { Recent } from '../../lib/recent.ts';
import type { ClientDocument, ClientDocuments } from '../../operations/services.ts';
import type { Got, Wanted } from '../../webhooks/get.ts';
import type { Resolve } from '../../webhooks/guard.ts';
import { clientDocumentOf, requireClientUrl } from './clientDocument.ts';

const MAX_BYTES = 16 * 1024;
/** Timeout for loading a document, including its redirects. */
const TIMEOUT_MS = 5_000;
/** Maximum concurrent loads of documents. */
const MAX_LOADING = 20;
/** Maximum cached documents, and how long one is cached. Failures are cached more briefly. */
const MAX_CACHED = 1_000;
const CACHED_MS = 5 * 60_000;
const FAILURE_MS = 10_000;

export interface ClientDocumentOptions {
  /** Whether private addresses and http are allowed. */
  allowPrivate: boolean;
  now: () => number;
  /** Replaces DNS resolution in tests. */
  resolve?: Resolve | undefined;
}

interface Cached {
  document: Promise<ClientDocument>;
  /** When the entry expires, in milliseconds since the Unix epoch. */
  until: number;
}

/** Loads the metadata documents of apps, using the same address checks as webhooks. */
export class LoadedClientDocuments implements ClientDocuments {
  readonly allowPrivate: boolean;
  readonly #now: () => number;
  readonly #cached = new Recent<string, Cached>(MAX_CACHED);
  readonly #loadClient: () => Promise<(url: string) => Promise<Uint8Array>>;
  #loading = 0;

  constructor({ allowPrivate, now, resolve }: ClientDocumentOptions) {
    this.allowPrivate = allowPrivate;
    this.#now = now;
    const allowedHosts = { allowPrivate, hosts: [] };
    // Loads the HTTP client on first use, as for webhooks.
    this.#loadClient = late(async () => {
      const [{ createAgents }, { getFollowing }] = await Promise.all([
        import('../../webhooks/guard.ts'),
        import('../../webhooks/get.ts'),
      ]);
      const agents = createAgents(allowPrivate, resolve);
      return (url) => load(url, (wanted) => getFollowing(wanted, agents, allowedHosts));
    });
  }

  /**
   * Returns the metadata document of an app. Throws INVALID_REQUEST if it cannot be loaded or is not valid,
   * and RATE_LIMITED if this node is already loading too many documents.
   */
  of(url: string): Promise<ClientDocument> {
    const known = this.#cached.get(url);
    if (known && known.until > this.#now()) return known.document;
    const entry: Cached = { document: this.#load(url), until: this.#now() + CACHED_MS };
    this.#cached.set(url, entry);
    entry.document.catch(() => {
      entry.until = this.#now() + FAILURE_MS;
    });
    return entry.document;
  }

  async #load(url: string): Promise<ClientDocument> {
    requireClientUrl(url, this.allowPrivate);
    if (this.#loading >= MAX_LOADING)
      throw new ApiError(
        'RATE_LIMITED',
        'too many apps are being looked up. Try again in a minute',
        undefined,
        {
          'retry-after': '60',
        },
      );
    this.#loading++;
    try {
      const client = await this.#loadClient();
      return clientDocumentOf(url, await client(url));
    } finally {
      this.#loading--;
    }
  }
}

type Get = (wanted: Wanted & { isWithinOrigin: true }) => Promise<Got>;

/**
 * Loads a document. Follows redirects only within its origin. Otherwise, an app could use an open redirect on
 * another host to claim that host. The error does not reveal the cause, so that it cannot be used to probe a
 * network.
 */
async function load(url: string, get: Get): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const wanted = {
    url,
    accept: 'application/json',
    maxBytes: MAX_BYTES,
    signal,
    isWithinOrigin: true,
  } as const;
  const got = await get(wanted).catch(() => undefined);
  if (got?.status === 200 && /^application\/([\w.-]+\+)?json\b/i.test(got.contentType)) return got.body;
  throw invalid(
    'wrong_form',
    'client',
    'its metadata document could not be loaded. It must be JSON of at most 16 KB, at a public address, and load within 5 seconds',
  );
}
