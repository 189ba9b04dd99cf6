import type { CallOptions, Calls } from './calls.ts';
import { PalaverError } from './error.ts';

/** The fields of a message to stream. */
export type StreamedFields = Omit<NonNullable<Parameters<Calls['messageSend']>[0]>, 'streaming'>;

type StreamCalls = Pick<Calls, 'messageSend' | 'messageAppend'>;

/** The maximum length of the text in a request, in UTF-16 code units. */
const MAX_PIECE = 2_000;
/** The number of consecutive wrong offsets after which an append fails. */
const MAX_CORRECTIONS = 10;

/** A problem, with the fields of `wrong_offset` and `ended`. */
interface Placed {
  reason: string;
  offset?: number;
}

/**
 * A message that readers see while it is being written. Text that arrives during a request is sent with the
 * next one. Created by `streamMessage`.
 */
export class StreamedMessage {
  readonly id: string;
  readonly #calls: StreamCalls;
  readonly #options: CallOptions;
  #text: string;
  #sent: number;
  #isDone = false;
  #sending: Promise<void> | undefined;

  constructor(calls: StreamCalls, options: CallOptions, { id, content }: { id: string; content: string }) {
    this.id = id;
    this.#calls = calls;
    this.#options = options;
    this.#text = content;
    this.#sent = content.length;
  }

  /** The text so far, including text that has not been sent yet. */
  get text(): string {
    return this.#text;
  }

  /**
   * Appends text. Resolves once the server has all text so far. Throws PalaverError, with the problem `ended`
   * if somebody stopped the message or it received no text for 60 seconds. Empty text keeps the message open.
   */
  async append(text: string): Promise<void> {
    if (this.#isDone) throw new TypeError('the message is complete');
    this.#text += text;
    await this.#flush(text === '');
    // The previous request may have been sent without the latest text.
    if (this.#sent < this.#ready) await this.#flush(false);
  }

  /**
   * Appends the last text, and completes the message. A message without any text is deleted. Throws
   * PalaverError.
   */
  async done(text = ''): Promise<void> {
    if (this.#isDone) throw new TypeError('the message is complete');
    this.#text += text;
    this.#isDone = true;
    // A request in progress does not include `done`, so wait for the request first.
    await this.#sending;
    await this.#flush(true);
  }

  #flush(always: boolean): Promise<void> {
    this.#sending ??= this.#send(always).finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Sends until the server has all text. Sends at least one request if `always` is set. */
  async #send(always: boolean): Promise<void> {
    let corrections = 0;
    for (let isNeeded = always; isNeeded || this.#sent < this.#ready; ) {
      const offset = this.#sent;
      const text = this.#pieceAt(offset);
      const done = this.#isDone && offset + text.length === this.#text.length;
      try {
        const answer = await this.#calls.messageAppend({ id: this.id, offset, text, done }, this.#options);
        this.#sent = answer.offset;
        corrections = 0;
        isNeeded = false;
      } catch (error) {
        const right = error instanceof PalaverError ? offsetIn(error) : undefined;
        if (right === undefined || right > this.#text.length || ++corrections > MAX_CORRECTIONS) throw error;
        this.#sent = right;
        isNeeded = true;
      }
    }
  }

  /**
   * The length of the text that can be sent. Excludes a high surrogate at the end, because its second half
   * may follow.
   */
  get #ready(): number {
    const { length } = this.#text;
    return !this.#isDone && isHigh(this.#text.charCodeAt(length - 1)) ? length - 1 : length;
  }

  #pieceAt(offset: number): string {
    const end = Math.min(offset + MAX_PIECE, this.#ready);
    const isSplit = end < this.#text.length && isHigh(this.#text.charCodeAt(end - 1));
    return this.#text.slice(offset, isSplit && end - 1 > offset ? end - 1 : end);
  }
}

/**
 * Starts a message that readers see while it is being written:
 *
 * ```ts
 * const message = await streamMessage(palaver, { channelId });
 * for await (const piece of answer) await message.append(piece);
 * await message.done();
 * ```
 *
 * Throws PalaverError.
 */
export async function streamMessage(
  calls: StreamCalls,
  fields: StreamedFields,
  options: CallOptions = {},
): Promise<StreamedMessage> {
  const { id } = await calls.messageSend({ ...fields, streaming: true }, options);
  const { idempotencyKey: _only, ...others } = options;
  return new StreamedMessage(calls, others, { id, content: fields.content ?? '' });
}

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** Returns the offset at which the server wants to continue. */
const offsetIn = ({ problems }: PalaverError): number | undefined =>
  (problems as readonly Placed[]).find(({ reason }) => reason === 'wrong_offset')?.offset;
