import { late } from '../../../lib/late.ts';
import { Recent } from '../../../lib/recent.ts';
import { TenantShares } from '../../../lib/tenantShares.ts';
import type { Services } from '../../../operations/services.ts';
import { type Got, getFollowing } from '../../../webhooks/get.ts';
import { createAgents } from '../../../webhooks/guard.ts';
import { Slots } from '../../../webhooks/slots.ts';
import type { PageTexts } from './page.ts';

/** Timeout for a page or a picture, including its redirects, in ms. */
const TIMEOUT_MS = 5_000;
/**
 * Maximum size of a page or a picture, in bytes. Longer pages are truncated, and larger pictures are omitted.
 */
const MAX_BYTES = 512 * 1024;
/**
 * Maximum concurrent requests per node: in total, not counting each tenant's first request, and per tenant. A
 * person with many servers must not delay other people's previews.
 */
const SLOTS = { shared: 16, perKey: 4 };
/** Maximum messages per node that wait for pages, shared fairly between tenants. */
const MAX_MESSAGES = 100;
/** Maximum pages cached by a node, and their lifetime in ms. Many people may link to the same page. */
const MAX_KEPT = 500;
const KEPT_MS = 10 * 60_000;

const parser = late(() => import('./page.ts'));

/** The content of a page that its preview shows. */
interface Page {
  texts: PageTexts;
  /** The URL of the picture. It can be any URL, so only `Pages` may load it. */
  picture: string | undefined;
}

interface Kept {
  page: Promise<Page | undefined>;
  /** When the page expires from the cache, in milliseconds since the Unix epoch. */
  until: number;
}

type Loading = Pick<Services, 'db' | 'deps' | 'allowedHosts'>;

/** Loads pages and pictures for previews, with a limit per tenant. */
export class Pages {
  /** The messages that wait for their pages. */
  readonly messages = new TenantShares(MAX_MESSAGES);
  readonly #services: Loading;
  readonly #slots = new Slots(SLOTS);
  readonly #kept = new Recent<string, Kept>(MAX_KEPT);
  readonly #agents;

  private constructor(services: Loading) {
    this.#services = services;
    this.#agents = createAgents(services.allowedHosts.allowPrivate);
  }

  static of(services: Loading): Pages {
    const pages = pagesBy.get(services.db) ?? new Pages(services);
    pagesBy.set(services.db, pages);
    return pages;
  }

  /** Returns a page; undefined if it has no title or cannot be loaded. */
  page(tenant: string, url: string): Promise<Page | undefined> {
    const now = this.#services.deps.now();
    const kept = this.#kept.get(url);
    if (kept && kept.until > now) return kept.page;
    const page = this.#slots.use(tenant, () => this.#loadPage(url)).catch(() => undefined);
    this.#kept.set(url, { page, until: now + KEPT_MS });
    return page;
  }

  /** Returns the bytes of a picture. Rejects if it cannot be loaded, or if `signal` is aborted. */
  picture(tenant: string, url: string, signal: AbortSignal): Promise<Uint8Array> {
    return this.#slots.use(tenant, async () => {
      signal.throwIfAborted();
      const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const { status, body } = await this.#get({ url, accept: 'image/*', signal: within });
      if (status !== 200) throw new Error(`the picture's server returned ${status}`);
      return body;
    });
  }

  async #loadPage(url: string): Promise<Page | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const got = await this.#get({ url, accept: 'text/html', isCut: true, signal });
    const { status, contentType, body } = got;
    if (status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return undefined;
    const { decoded, headOfPage } = await parser();
    const head = await headOfPage(decoded(body, contentType));
    if (!head) return undefined;
    const { texts, picture } = head;
    const isGiven = picture !== undefined && URL.canParse(picture, got.url);
    return { texts, picture: isGiven ? new URL(picture, got.url).href : undefined };
  }

  #get(wanted: {
    url: string;
    accept: string;
    isCut?: boolean;
    signal: AbortSignal;
  }): Promise<Got & { url: string }> {
    return getFollowing({ ...wanted, maxBytes: MAX_BYTES }, this.#agents, this.#services.allowedHosts);
  }
}

const pagesBy = new WeakMap<object, Pages>();
