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

/** The draft that the server is known to have. A draft that is begun anew, in however short a time, has a larger id. */
interface Known {
  /** '' for none. */
  readonly draftId: string;
  /** Its `updatedAt`; 0 for none. */
  readonly version: number;
}

interface Row extends Draft, Known {
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
  told?: Known & { content: string; isGone: boolean };
  /** A snapshot was put: what it lacks may be of before the save, or of after it. */
  isDoubtful: boolean;
}

const unknown: Known = { draftId: '', version: 0 };
const none: Draft & Known = Object.freeze({ ...unknown, content: '', isSaved: true });

const knownOf = (draft: Records['Draft'] | null | undefined): Known =>
  draft ? { draftId: draft.id, version: draft.updatedAt } : unknown;
const timelineIdOf = ({ threadId, channelId }: Records['Draft']): string => threadId ?? channelId;
const isLater = (one: Known, other: Known): boolean =>
  one.draftId === other.draftId ? one.version > other.version : one.draftId > other.draftId;

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

  get = (placeId: string): Draft & Known => this.#rows.get(placeId) ?? none;

  /** Takes up what the browser has kept. */
  async load(): Promise<void> {
    for (const row of (await this.#of.kept.all('draft')) as Row[])
      if (!this.#rows.has(row.id)) this.#show({ ...unknown, ...row });
    this.flush();
  }

  /** Keeps what is being written there. An empty one is removed. */
  save(
    place: { serverId: string; channelId: string; threadId?: string | undefined },
    content: string,
    replyToId?: string,
  ): void {
    const id = place.threadId ?? place.channelId;
    const { draftId, version, ...old } = this.get(id);
    if (old.content === content && old.replyToId === replyToId) return;
    this.#keep({ ...place, id, content, draftId, version, isSaved: false, replyToId });
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

  /**
   * Puts the drafts of a server, as a snapshot has them: unless the person is writing there, or something came since it was begun.
   * That may be the late answer to a save, and the snapshot the newer of the two: what differs is then read again.
   */
  snapshot(begun: Begun, serverId: string, drafts: readonly Records['Draft'][]): void {
    const found = new Map(drafts.map((draft) => [timelineIdOf(draft), draft]));
    const here = [...this.#rows.values()].filter((row) => row.serverId === serverId);
    let isDoubtful = false;
    for (const id of new Set([...found.keys(), ...here.map((row) => row.id)])) {
      const [draft, row] = [found.get(id), this.get(id)];
      const saving = this.#saving.get(id);
      if (saving) saving.isDoubtful = true;
      if (this.#of.marks.isNewer(`draft ${id}`, begun)) {
        const { draftId, version } = knownOf(draft);
        isDoubtful ||= row.isSaved && (row.draftId !== draftId || row.version !== version);
      } else if (draft) this.#take(draft);
      else if (row.isSaved) this.#forget(id);
    }
    if (isDoubtful) this.#of.doubt(serverId);
  }

  apply(event: LiveEvent): void {
    if (event.type === 'draft.updated') this.#take(event.data);
    if (event.type !== 'draft.deleted') return;
    const [id, known] = [timelineIdOf(event.data), knownOf(event.data)];
    this.#tell(id, { ...known, content: '', isGone: true });
    // Also if it is not here: a snapshot that is under way may have it.
    this.#of.marks.change(`draft ${id}`);
    const row = this.#rows.get(id);
    if (!row || isLater(row, known)) return;
    if (row.isSaved) this.#forget(id);
    else this.#keep({ ...row, ...unknown });
  }

  /** What another device has written wins, unless there are words here that the server does not have. */
  #take(draft: Records['Draft']): void {
    const { serverId, channelId, threadId, content } = draft;
    const [id, known] = [timelineIdOf(draft), knownOf(draft)];
    this.#tell(id, { ...known, content, isGone: false });
    const row = this.#rows.get(id);
    if (row && !isLater(known, row)) return;
    if (row && !row.isSaved) this.#keep({ ...row, ...known });
    else
      this.#keep({
        ...known,
        id,
        serverId,
        channelId,
        threadId: threadId ?? undefined,
        content,
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
    let isRefused = false;
    try {
      const { draft } = await this.#of.api(serverId).draftSave({ ...place, content, version });
      this.#saved(row, draft, saving);
    } catch (error) {
      isRefused = this.#refused(row, error as { code?: string; details?: unknown; status?: number });
    } finally {
      this.#saving.delete(id);
    }
    if (!isRefused && this.#rows.get(id)?.isSaved === false) this.#saverOf(id)();
  }

  /** The server has taken the content of `sent`, in the place of what it knew. News of another device since is newer. */
  #saved(sent: Row, saved: Records['Draft'] | null, { told, isDoubtful }: Saving): void {
    const now = this.#rows.get(sent.id);
    if (!now) return;
    const base = saved ? knownOf(saved) : sent;
    const isNewer = told && (told.isGone ? saved !== null && !isLater(base, told) : isLater(told, base));
    const { draftId, version } = isNewer ? (told.isGone ? unknown : told) : knownOf(saved);
    const shown = isNewer ? told.content : sent.content;
    if (isDoubtful) this.#of.doubt(now.serverId);
    // The person has gone on writing.
    if (now.content !== sent.content) this.#keep({ ...now, draftId, version });
    else if (shown === '') this.#forget(now.id);
    else this.#keep({ ...now, content: shown, draftId, version, isSaved: true });
  }

  /** True if it is refused for good. It stays in the browser, and goes to the server when the person writes on, or is back. */
  #refused(
    sent: Row,
    { code, details, status = 0 }: { code?: string; details?: unknown; status?: number },
  ): boolean {
    const row = this.#rows.get(sent.id);
    if (!row) return true;
    const other = (details as { draft?: Records['Draft'] | null } | undefined)?.draft;
    if (code === 'ALREADY_EXISTS' && other !== undefined) {
      // The person is writing here and now: what they see is what they want, also where another device has emptied it.
      this.#keep({ ...row, ...knownOf(other) });
      return false;
    }
    // The place is out of sight: the next snapshot takes the draft away.
    if (status === 403 || status === 404) this.#keep({ ...row, isSaved: true });
    return status >= 400 && status < 500 && status !== 429 && row.content === sent.content;
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
