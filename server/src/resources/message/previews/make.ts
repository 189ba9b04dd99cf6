import { tenantIn } from '../../../access/credentials/powers.ts';
import { releaseTimer, removeTimer, type Timer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, prepare, q, update } from '../../../db/statements.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { Lost, whileClaimed } from '../../claimed.ts';
import { touched } from '../../common.ts';
import { discardFile, type Upload } from '../../received.ts';
import { matchesWordRules } from '../../wordRule/rules.ts';
import { threadsNamedBy } from '../load.ts';
import { messageEvents, toMessage } from '../messageRecord.ts';
import type { PageTexts } from './page.ts';
import { Pages } from './pages.ts';
import { loadPicture, showPicture } from './pictures.ts';
import { type Preview, previewed, previewsOf, removePictures } from './want.ts';

/**
 * Time limit for loading the pictures of a message, in ms. A preview omits a picture that takes longer. This
 * is shorter than the lease of a timer.
 */
const PICTURES_MS = 8_000;

type Message = RowOf<'message'>;

const ownerOf = prepare((p: { serverId: string }) =>
  q
    .selectFrom('server')
    .innerJoin('user as owner', 'owner.id', 'server.creatorId')
    .select(['server.creatorId', 'owner.platformAdmin as isOfAdmin'])
    .where('server.id', '=', p.serverId),
);

/** A page that was loaded for a new preview. */
interface Loaded {
  url: string;
  texts: PageTexts | undefined;
  picture: Upload | undefined;
}

/**
 * Creates the previews of a message in the background. `onError` gets the errors of attempts that will be
 * retried.
 */
export async function startPreviews(
  services: Services,
  timer: Timer,
  onError: (error: unknown) => void,
): Promise<void> {
  const making = makePreviews(services, timer).catch((error) => {
    if (!(error instanceof Lost)) onError(error);
  });
  services.background.add(making);
}

async function makePreviews(services: Services, timer: Timer): Promise<void> {
  const found = await services.db.read.first(find('message', { id: timer.id }));
  const tenant = found ? await tenantOf(services, found) : '';
  const { messages } = Pages.of(services);
  // The clock runs the timer again when its lease expires.
  if (!messages.hasRoom(tenant)) return;
  messages.add(tenant, 1);
  try {
    await makeAndStore(services, timer, found, tenant);
  } finally {
    messages.add(tenant, -1);
  }
}

async function tenantOf({ db }: Services, { serverId }: Message): Promise<string> {
  const owned = await db.read.first(ownerOf({ serverId }));
  return owned ? tenantIn({ serverId, ...owned, isOfAdmin: Boolean(owned.isOfAdmin) }) : serverId;
}

async function makeAndStore(
  services: Services,
  timer: Timer,
  found: Message | undefined,
  tenant: string,
): Promise<void> {
  const { id } = timer;
  const known = found && previewsOf(found);
  const links = known ? previewed(found.content) : [];
  const { signal: stopping } = services.background;
  const signal = AbortSignal.any([AbortSignal.timeout(PICTURES_MS), stopping]);
  const made = await Promise.all(
    links.map(
      (url) =>
        known?.find((preview) => preview.url === url) ??
        load(services, found as Message, { tenant, url }, signal),
    ),
  );
  try {
    // The stopping node has aborted the downloads, so another node has to repeat them.
    if (stopping.aborted) return await releaseTimer(services.db, timer, services.deps.now());
    await whileClaimed(services, timer, async (work) => {
      await removeTimer(work.db, id);
      await store(work, services, found, made);
    });
  } finally {
    // Discards the pictures that no preview shows. `discardFile` keeps files that a row references.
    for (const one of made) if ('picture' in one && one.picture) await discardFile(one.picture, services);
  }
}

async function load(
  services: Services,
  message: Message,
  { tenant, url }: { tenant: string; url: string },
  signal: AbortSignal,
): Promise<Loaded> {
  const page = await Pages.of(services).page(tenant, url);
  const { texts, picture: address } = page ?? {};
  if (!address) return { url, texts, picture: undefined };
  return { url, texts, picture: await loadPicture(services, message, { tenant, url: address }, signal) };
}

/** Stores the previews, unless the message's text has changed since `loaded` was read. */
async function store(
  work: Work,
  services: Services,
  loaded: Message | undefined,
  made: readonly (Preview | Loaded)[],
): Promise<void> {
  const { db, emit, now } = work;
  const found = loaded && (await db.first(find('message', { id: loaded.id })));
  if (!found || found.content !== loaded.content || found.stream === 'open') return;
  const before = previewsOf(found);
  if (!before) return;
  const previews: Preview[] = [];
  for (const one of made) {
    const shown = 'type' in one ? one : await newPreview(work, services, found, one);
    if (shown) previews.push({ ...shown, id: `p${previews.length + 1}` });
  }
  if (JSON.stringify(before) === JSON.stringify(previews)) return;
  const threads = await threadsNamedBy(db, found.id);
  const set = { blocks: previews.length > 0 ? previews : null, updatedAt: touched(found, now) };
  await db.run(update('message', found.id, set));
  await removePictures(work, before, previews);
  await emit(messageEvents.updated, toMessage({ ...found, ...set }), { known: { threads } });
}

/**
 * Returns a new preview of a page. Undefined if the page has no title, or if a word rule of the server
 * matches its texts.
 */
async function newPreview(
  work: Work,
  services: Services,
  message: Message,
  { url, texts, picture }: Loaded,
): Promise<Omit<Preview, 'id'> | undefined> {
  const { serverId } = message;
  if (!texts || (await matchesWordRules(work.db, serverId, Object.values(texts).join('\n'))))
    return undefined;
  const image = picture && (await showPicture(work, services, message, picture));
  return { type: 'preview', url, ...texts, ...(image && { image }) };
}
