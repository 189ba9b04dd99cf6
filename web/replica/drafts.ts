import { type Around, soon } from './around.ts';
import type { Kept } from './kept.ts';
import type { Begun, Marks } from './marks.ts';
import type { Api, Draft, LiveEvent, Records } from './types.ts';

/**
 * Debounce for saving a draft on the server: the pause in typing, and the maximum delay after the first key.
 */
const REST_MS = 1_000;
const MOST_MS = 5_000;
/** Debounce for saving a draft in the browser, instead of writing on each key. */
const KEEP_MS = 500;
const KEEP_MOST_MS = 2_000;

/**
 * The server's version of the draft, as last seen. A draft that is deleted and recreated always has a larger
 * id.
 */
interface Known {
  /** Empty if there is none. */
  readonly draftId: string;
  /** The draft's `updatedAt`; 0 if there is none. */
  readonly version: number;
}

/** The maximum length of a draft on the server, in code points. */
const MOST = 8_000;

const isTooLong = (content: string): boolean => content.length > MOST && [...content].length > MOST;

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
  /** Reloads this server's drafts, which may have changed. */
  doubt: (serverId: string) => void;
  /** True while there is no connection: drafts are then sent by `flush`, once it is back. */
  isLost?: () => boolean;
}

/** A save in flight, and the events that arrived during it. */
interface Saving {
  /** The last event about the draft. It may predate the save or follow it. */
  told?: Known & { content: string; isGone: boolean };
  /**
   * True if a snapshot arrived during the save. If it lacks the draft, the draft may have been deleted
   * before or after the save.
   */
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
 * The user's drafts, by channel or thread. Changes are stored in the browser after a debounce, or at once when
 * the user leaves the page, and saved on the server after a longer debounce.
 */
export class Drafts {
  readonly #rows = new Map<string, Row>();
  readonly #savers = new Map<string, ReturnType<typeof soon>>();
  readonly #saving = new Map<string, Saving>();
  /** Ids of channels and threads whose drafts have changes not yet stored in the browser. */
  readonly #unkept = new Set<string>();
  readonly #keepSoon: ReturnType<typeof soon>;
  readonly #of: DraftsAround;

  constructor(of: DraftsAround) {
    this.#of = of;
    this.#keepSoon = soon(of.around, KEEP_MS, KEEP_MOST_MS, () => this.keep());
  }

  get = (placeId: string): Draft & Known => this.#rows.get(placeId) ?? none;

  /** Loads the drafts stored in the browser. */
  async load(): Promise<void> {
    for (const row of (await this.#of.kept.all('draft')) as Row[])
      if (!this.#rows.has(row.id)) this.#show({ ...unknown, ...row });
    this.flush();
  }

  /** Saves a draft. Empty content deletes it. */
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

  /** Sends unsaved drafts, before the page is hidden or when the network is back. */
  flush(): void {
    for (const { id, isSaved } of this.#rows.values()) if (!isSaved) void this.#send(id);
  }

  /** Writes pending changes to the browser's database now, for example because the user leaves the page. */
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
   * Stores a server's drafts from a snapshot. Skips drafts with unsaved text, and those that changed after the
   * snapshot was requested. The snapshot may still be newer, because the change may be the late response to a
   * save, so differing drafts are read again.
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
    // Recorded even if this tab does not have the draft: a pending snapshot may contain it.
    this.#of.marks.change(`draft ${id}`);
    const row = this.#rows.get(id);
    if (!row || isLater(row, known)) return;
    if (row.isSaved) this.#forget(id);
    else this.#keep({ ...row, ...unknown });
  }

  /** The version from another device wins, unless this tab has unsaved text. */
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
    if (!row || row.isSaved || this.#saving.has(id) || this.#of.isLost?.()) return;
    // The server would reject the draft. It stays on this device until it is shorter.
    if (isTooLong(row.content)) return;
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

  /**
   * The server saved `sent` in place of its previous version. Events from other devices that arrived
   * in the meantime are newer.
   */
  #saved(sent: Row, saved: Records['Draft'] | null, { told, isDoubtful }: Saving): void {
    const now = this.#rows.get(sent.id);
    if (!now) return;
    const base = saved ? knownOf(saved) : sent;
    const isNewer = told && (told.isGone ? saved !== null && !isLater(base, told) : isLater(told, base));
    const { draftId, version } = isNewer ? (told.isGone ? unknown : told) : knownOf(saved);
    const shown = isNewer ? told.content : sent.content;
    if (isDoubtful) this.#of.doubt(now.serverId);
    // The user kept typing.
    if (now.content !== sent.content) this.#keep({ ...now, draftId, version });
    else if (shown === '') this.#forget(now.id);
    else this.#keep({ ...now, content: shown, draftId, version, isSaved: true });
  }

  /**
   * True if the refusal is final. The draft then stays in the browser, and is sent again with the next change
   * or flush.
   */
  #refused(
    sent: Row,
    { code, details, status = 0 }: { code?: string; details?: unknown; status?: number },
  ): boolean {
    const row = this.#rows.get(sent.id);
    if (!row) return true;
    const other = (details as { draft?: Records['Draft'] | null } | undefined)?.draft;
    if (code === 'ALREADY_EXISTS' && other !== undefined) {
      // The user is typing here: their text wins, even if another device emptied the draft.
      this.#keep({ ...row, ...knownOf(other) });
      return false;
    }
    // The channel or thread is no longer visible, so the next snapshot removes the draft.
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
    // Stored at once, because a sent message must not come back as a draft.
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
