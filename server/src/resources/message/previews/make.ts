import { removeTimer, type Timer } from '../../../clock/timers.ts';
import { find, update } from '../../../db/statements.ts';
import { late } from '../../../lib/late.ts';
import { Recent } from '../../../lib/recent.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { getFollowing } from '../../../webhooks/get.ts';
import { createAgents } from '../../../webhooks/guard.ts';
import { Slots } from '../../../webhooks/slots.ts';
import { Lost, whileClaimed } from '../../claimed.ts';
import { touched } from '../../common.ts';
import { matchesWordRules } from '../../wordRule/rules.ts';
import { threadsNamedBy } from '../load.ts';
import { messageEvents, toMessage } from '../messageRecord.ts';
import type { PageTexts } from './page.ts';
import { type Preview, previewed, previewsOf } from './want.ts';

/** Timeout for a page, including its redirects, in ms. Shorter than the lease of a timer. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;
/** Maximum concurrent page loads per node, in total and per server. */
const SLOTS = { shared: 16, perServer: 2 };
/** Maximum pages cached by a node, and their lifetime in ms. Many people may link to the same page. */
const MAX_KEPT = 500;
const KEPT_MS = 10 * 60_000;

const parser = late(() => import('./page.ts'));

interface Kept {
  texts: Promise<PageTexts | undefined>;
  /** In milliseconds since the Unix epoch. */
  until: number;
}

/** Loads pages for previews, with a limit per server. */
class Pages {
  readonly #services: Services;
  readonly #slots = new Slots(SLOTS);
  readonly #kept = new Recent<string, Kept>(MAX_KEPT);
  readonly #agents;

  constructor(services: Services) {
    this.#services = services;
    this.#agents = createAgents(services.allowedHosts.allowPrivate);
  }

  /** The texts of a page; undefined if it has none or cannot be loaded. */
  of(serverId: string, url: string): Promise<PageTexts | undefined> {
    const now = this.#services.deps.now();
    const kept = this.#kept.get(url);
    if (kept && kept.until > now) return kept.texts;
    const texts = this.#slots.use(serverId, () => this.#load(url)).catch(() => undefined);
    this.#kept.set(url, { texts, until: now + KEPT_MS });
    return texts;
  }

  async #load(url: string): Promise<PageTexts | undefined> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const wanted = { url, accept: 'text/html', maxBytes: MAX_BYTES, isCut: true, signal };
    const { status, contentType, body } = await getFollowing(
      wanted,
      this.#agents,
      this.#services.allowedHosts,
    );
    if (status !== 200 || !/^(text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return undefined;
    const { decoded, textsOfPage } = await parser();
    return textsOfPage(decoded(body, contentType));
  }
}

const pagesBy = new WeakMap<object, Pages>();

function pagesOf(services: Services): Pages {
  const pages = pagesBy.get(services.db) ?? new Pages(services);
  pagesBy.set(services.db, pages);
  return pages;
}

/**
 * Makes the previews of a message in the background. `onError` gets the errors of attempts that will be
 * retried.
 */
export async function startPreviews(
  services: Services,
  timer: Timer,
  onError: (error: unknown) => void,
): Promise<void> {
  void makePreviews(services, timer).catch((error) => {
    if (!(error instanceof Lost)) onError(error);
  });
}

async function makePreviews(services: Services, timer: Timer): Promise<void> {
  const { id, serverId } = timer;
  const found = await services.db.read.first(find('message', { id }));
  const known = found && previewsOf(found);
  const links = known ? previewed(found.content) : [];
  const pages = pagesOf(services);
  const made = await Promise.all(
    links.map(async (url) => {
      const before = known?.find((preview) => preview.url === url);
      return before ?? { url, texts: await pages.of(serverId, url) };
    }),
  );
  await whileClaimed(services, timer, async (work) => {
    await removeTimer(work.db, id);
    const previews: Preview[] = [];
    for (const one of made) {
      const preview = 'type' in one ? one : await previewOf(work, serverId, one);
      if (preview) previews.push({ ...preview, id: `p${previews.length + 1}` });
    }
    await store(work, id, found?.content, previews);
  });
}

/** Undefined for a page without a title, or one that a word rule of the server matches. */
async function previewOf(
  { db }: Work,
  serverId: string,
  { url, texts }: { url: string; texts: PageTexts | undefined },
): Promise<Omit<Preview, 'id'> | undefined> {
  if (!texts || (await matchesWordRules(db, serverId, Object.values(texts).join('\n')))) return undefined;
  return { type: 'preview', url, ...texts };
}

/** Stores the previews unless the message's text has changed since. */
async function store(
  { db, emit, now }: Work,
  id: string,
  content: string | undefined,
  previews: readonly Preview[],
): Promise<void> {
  const found = await db.first(find('message', { id }));
  if (!found || found.content !== content || found.stream === 'open') return;
  const before = previewsOf(found);
  if (!before || JSON.stringify(before) === JSON.stringify(previews)) return;
  const threads = await threadsNamedBy(db, id);
  const set = { blocks: previews.length > 0 ? previews : null, updatedAt: touched(found, now) };
  await db.run(update('message', id, set));
  await emit(messageEvents.updated, toMessage({ ...found, ...set }), { known: { threads } });
}
