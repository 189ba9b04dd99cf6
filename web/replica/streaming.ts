import type { Around } from './around.ts';
import type { Replica } from './replica.ts';
import type { Api, LiveEvent, Rows } from './types.ts';

/**
 * Throttle: text that arrives within this time is rendered together, because each update parses the whole
 * message again.
 */
const SHOW_MS = 80;
/** Delay before a failed request is retried, and before a piece is applied to a message that is being read. */
const AGAIN_MS = 2_000;
/** Maximum buffered pieces of a message that is being requested. */
const MAX_WAITING = 500;

type Delta = Extract<LiveEvent, { type: 'messageDelta.appended' }>['data'];
type Piece = Pick<Delta, 'offset' | 'text'>;

interface Open {
  serverId: string;
  content: string;
  /** Pieces buffered while the message is requested because of a gap. Undefined otherwise. */
  waiting: Delta[] | undefined;
}

/**
 * The text of streaming messages. Log events contain the text only once it is complete; until then, it
 * arrives in pieces.
 */
export class Streaming {
  readonly #replica: Replica;
  readonly #api: Api;
  readonly #around: Around;
  readonly #open = new Map<string, Open>();
  /** The latest pieces of messages that a read in flight may return. */
  readonly #held = new Map<string, [serverId: string, Delta]>();
  readonly #changed = new Set<string>();

  constructor(replica: Replica, api: Api, around: Around) {
    this.#replica = replica;
    this.#api = api;
    this.#around = around;
  }

  append(serverId: string, delta: Delta): void {
    const { messageId: id } = delta;
    const row = this.#replica.row('message', id);
    if (!row) return void this.#hold(serverId, delta);
    // It is already complete.
    if (row.stream !== 'open') return void this.#open.delete(id);
    const open = this.#openOf(row);
    if (open.waiting) {
      if (open.waiting.length < MAX_WAITING) open.waiting.push(delta);
    } else if (delta.offset > open.content.length) this.#ask(id, open, [delta]);
    else this.#add(id, open, delta);
  }

  /** Discards the pieces of a message that is complete or was removed. */
  end(id: string): void {
    if (this.#replica.row('message', id)?.stream !== 'open') this.#open.delete(id);
  }

  /** Requests the text of all messages that are being streamed, because pieces may have been missed. */
  renew(): void {
    for (const row of this.#replica.all('message')) {
      const open = row.stream === 'open' ? this.#openOf(row) : undefined;
      if (open && !open.waiting) this.#ask(row.id, open, []);
    }
  }

  #openOf({ id, serverId, content }: Rows['message']): Open {
    const open = this.#open.get(id) ?? { serverId, content, waiting: undefined };
    this.#open.set(id, open);
    // A read may have returned more text.
    if (content.length > open.content.length) open.content = content;
    return open;
  }

  /** Keeps a piece of a message that the replica does not have, while a read that may return it is in flight. */
  #hold(serverId: string, delta: Delta): void {
    this.#open.delete(delta.messageId);
    if (!this.#replica.marks.isReading || this.#held.size >= MAX_WAITING) return;
    if (this.#held.size === 0) this.#around.after(AGAIN_MS, () => this.#release());
    this.#held.set(delta.messageId, [serverId, delta]);
  }

  #release(): void {
    const held = [...this.#held.values()];
    this.#held.clear();
    for (const [serverId, delta] of held) this.#appendNew(serverId, delta);
  }

  /** Appends a piece, unless a read has returned it: the read may also have returned later ones. */
  #appendNew(serverId: string, delta: Delta): void {
    const { messageId: id, offset, text } = delta;
    const content = this.#open.get(id)?.content ?? this.#replica.row('message', id)?.content ?? '';
    if (offset + text.length > content.length) this.append(serverId, delta);
  }

  #add(id: string, open: Open, { offset, text }: Piece): void {
    open.content = open.content.slice(0, offset) + text;
    if (this.#changed.size === 0) this.#around.after(SHOW_MS, () => this.#show());
    this.#changed.add(id);
  }

  #show(): void {
    const ids = [...this.#changed];
    this.#changed.clear();
    const { marks } = this.#replica;
    for (const id of ids) {
      const row = this.#replica.row('message', id);
      const open = this.#open.get(id);
      if (row?.stream !== 'open' || !open) continue;
      const begun = marks.begin();
      this.#replica.reading(begun, { message: [{ ...row, content: open.content }] });
      marks.end(begun);
    }
  }

  #ask(id: string, open: Open, waiting: Delta[]): void {
    open.waiting = waiting;
    Promise.resolve(this.#api(open.serverId).messageById({ messageId: id })).then(
      ({ content, stream }) => {
        const later = open.waiting ?? [];
        open.waiting = undefined;
        // The event with the complete text is on its way.
        if (stream !== 'open') return void this.#open.delete(id);
        if (content.length > open.content.length) this.#add(id, open, { offset: 0, text: content });
        for (const delta of later) this.#appendNew(open.serverId, delta);
      },
      ({ status = 0 }: { status?: number }) => {
        // A final failure: the message was deleted or is hidden.
        if (status >= 400 && status < 500 && status !== 429) this.#open.delete(id);
        else this.#around.after(AGAIN_MS, () => this.#ask(id, open, open.waiting ?? []));
      },
    );
  }
}
