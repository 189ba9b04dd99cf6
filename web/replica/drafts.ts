import { type Around, soon } from './around.ts';
import type { Kept } from './kept.ts';
import type { Begun, Marks } from './marks.ts';
import type { Api, Draft, LiveEvent, Records } from './types.ts';

/** A draft goes to the server when nothing was typed for so long, or after so long of typing. */
const REST_MS = 1_000;
const MOST_MS = 5_000;
/** The browser keeps it when nothing was typed for so long, or after so long of typing: not with each key. */
const KEEP_MS = 500;
const KEEP_MOST_MS = 2_000;

interface Row extends Draft {
  id: string;
  serverId: string;
  channelId: string;
  threadId?: string | undefined;
}

interface DraftsAround {
  api: Api;
  kept: Kept;
  around: Around;
  marks: Marks;
  changed: (key: string) => void;
  /** What the server has of a server's drafts is to be read again. */
  doubt: (serverId: string) => void;
}

/** A save that is under way, and what came meanwhile. */
interface Saving {
  /** The last that was told of the draft: it may be of before the save, or of after it. */
  told?: { version: number; content: string; isGone: boolean };
  /** A snapshot was put: what it lacks may be of before the save, or of after it. */
  isDoubtful: boolean;
}

const none: Draft = Object.freeze({ content: '', version: 0, isSaved: true });

/**
 * What the person has begun to write, by channel or thread: kept in the browser in a moment, or as they leave the page, and at the
 * server soon after.
 */
export class Drafts {
  readonly #rows = new Map<string, Row>();
  readonly #savers = new Map<string, ReturnType<typeof soon>>();
  readonly #saving = new Map<string, Saving>();
  /** Those that the browser's database does not have as they are. */
  readonly #unkept = new Set<string>();
  readonly #keepSoon: ReturnType<typeof soon>;
  readonly #of: DraftsAround;

  constructor(of: DraftsAround) {
    this.#of = of;
    this.#keepSoon = soon(of.around, KEEP_MS, KEEP_MOST_MS, () => this.keep());
  }

  get = (placeId: string): Draft => this.#rows.get(placeId) ?? none;

  /** Takes up what the browser has kept. */
  async load(): Promise<void> {
    for (const row of (await this.#of.kept.all('draft')) as Row[])
      if (!this.#rows.has(row.id)) this.#show(row);
    this.flush();
  }

  /** Keeps what is being written there. An empty one is removed. */
  save(
    place: { serverId: string; channelId: string; threadId?: string | undefined },
    content: string,
    replyToId?: string,
  ): void {
    const id = place.threadId ?? place.channelId;
    const old = this.get(id);
    if (old.content === content && old.replyToId === replyToId) return;
    this.#keep({ ...place, id, content, version: old.version, isSaved: false, replyToId });
    this.#saverOf(id)();
  }

  /** Sends what the server does not have yet: before the page is hidden, or when the network is back. */
  flush(): void {
    for (const { id, isSaved } of this.#rows.values()) if (!isSaved) void this.#send(id);
  }

  /** Puts what has changed into the browser's database: as the page is left. */
  keep(): void {
    this.#keepSoon.stop();
    for (const id of this.#unkept) {
      const row = this.#rows.get(id);
      if (row) void this.#of.kept.put('draft', id, row);
    }
    this.#unkept.clear();
  }

  stop(): void {
    this.keep();
    for (const saver of this.#savers.values()) saver.stop();
  }

  /** Puts the drafts of a server, as a snapshot has them: unless the person is writing there, or an event was newer. */
  snapshot(begun: Begun, serverId: string, drafts: readonly Records['Draft'][]): void {
    const isNewer = (id: string) => this.#of.marks.isNewer(`draft ${id}`, begun);
    const found = new Set(drafts.map(({ threadId, channelId }) => threadId ?? channelId));
    for (const row of [...this.#rows.values()])
      if (row.serverId === serverId && row.isSaved && !found.has(row.id) && !isNewer(row.id))
        this.#forget(row.id);
    for (const draft of drafts) if (!isNewer(draft.threadId ?? draft.channelId)) this.#take(draft);
    for (const [id, saving] of this.#saving)
      if (this.#rows.get(id)?.serverId === serverId) saving.isDoubtful = true;
  }

  apply(event: LiveEvent): void {
    if (event.type === 'draft.updated') this.#take(event.data);
    if (event.type !== 'draft.deleted') return;
    const { channelId, threadId, updatedAt } = event.data;
    this.#tell(threadId ?? channelId, { version: updatedAt, content: '', isGone: true });
    const row = this.#rows.get(threadId ?? channelId);
    if (!row || row.version > updatedAt) return;
    if (row.isSaved) this.#forget(row.id);
    else this.#keep({ ...row, version: 0 });
  }

  /** What another device has written wins, unless there are words here that the server does not have. */
  #take({ serverId, channelId, threadId, content, updatedAt }: Records['Draft']): void {
    const id = threadId ?? channelId;
    this.#tell(id, { version: updatedAt, content, isGone: false });
    const row = this.#rows.get(id);
    if (row && row.version >= updatedAt) return;
    if (row && !row.isSaved) this.#keep({ ...row, version: updatedAt });
    else
      this.#keep({
        id,
        serverId,
        channelId,
        threadId: threadId ?? undefined,
        content,
        version: updatedAt,
        isSaved: true,
      });
  }

  #tell(id: string, told: NonNullable<Saving['told']>): void {
    const saving = this.#saving.get(id);
    if (saving) saving.told = told;
  }

  async #send(id: string): Promise<void> {
    const row = this.#rows.get(id);
    if (!row || row.isSaved || this.#saving.has(id)) return;
    const saving: Saving = { isDoubtful: false };
    this.#saving.set(id, saving);
    const { serverId, channelId, threadId, content, version } = row;
    const place = threadId === undefined ? { channelId } : { threadId };
    try {
      const { draft } = await this.#of.api(serverId).draftSave({ ...place, content, version });
      this.#saved(id, { content, version, saved: draft, saving });
    } catch (error) {
      this.#refused(id, error as { code?: string; details?: unknown; status?: number });
    } finally {
      this.#saving.delete(id);
    }
    if (this.#rows.get(id)?.isSaved === false) this.#saverOf(id)();
  }

  /** The server has taken `content` in the place of `version`. What it was told of another device since is newer. */
  #saved(
    id: string,
    {
      content,
      version,
      saved,
      saving: { told, isDoubtful },
    }: { content: string; version: number; saved: Records['Draft'] | null; saving: Saving },
  ): void {
    const now = this.#rows.get(id);
    if (!now) return;
    const base = saved?.updatedAt ?? version;
    const isNewer = told && (told.isGone ? saved !== null && told.version >= base : told.version > base);
    const known = isNewer ? (told.isGone ? 0 : told.version) : (saved?.updatedAt ?? 0);
    const shown = isNewer ? told.content : content;
    if (isDoubtful) this.#of.doubt(now.serverId);
    // The person has gone on writing.
    if (now.content !== content) this.#keep({ ...now, version: known });
    else if (shown === '') this.#forget(id);
    else this.#keep({ ...now, content: shown, version: known, isSaved: true });
  }

  #refused(
    id: string,
    { code, details, status = 0 }: { code?: string; details?: unknown; status?: number },
  ): void {
    const row = this.#rows.get(id);
    if (!row) return;
    const other = (details as { draft?: Records['Draft'] | null } | undefined)?.draft;
    if (code === 'ALREADY_EXISTS' && other !== undefined)
      // The person is writing here and now: what they see is what they want, also where another device has emptied it.
      this.#keep({ ...row, version: other?.updatedAt ?? 0 });
    // It stays in the browser. Nothing would change by trying again.
    else if (status >= 400 && status < 500 && status !== 429) this.#keep({ ...row, isSaved: true });
  }

  #saverOf(id: string): ReturnType<typeof soon> {
    const saver = this.#savers.get(id) ?? soon(this.#of.around, REST_MS, MOST_MS, () => void this.#send(id));
    this.#savers.set(id, saver);
    return saver;
  }

  #keep(row: Row): void {
    this.#unkept.add(row.id);
    this.#of.marks.change(`draft ${row.id}`);
    this.#show(row);
    // What was sent must not come back as a draft.
    if (row.content === '') this.keep();
    else this.#keepSoon();
  }

  #forget(id: string): void {
    this.#unkept.delete(id);
    void this.#of.kept.delete('draft', id);
    this.#of.marks.change(`draft ${id}`);
    this.#rows.delete(id);
    this.#of.changed(`draft:${id}`);
  }

  #show(row: Row): void {
    this.#rows.set(row.id, row);
    this.#of.changed(`draft:${row.id}`);
  }
}
