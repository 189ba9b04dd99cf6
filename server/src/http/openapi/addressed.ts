import type { FastifyRequest } from 'fastify';
import { SharedText } from '../sharedText.ts';

/** Addresses whose texts are kept: a server has few. A client may name many, which must cost neither memory nor compressing. */
const MAX_KEPT = 8;
/** A name or an address, and a port. A URL takes more, such as quotes. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;
/** Stands for the address in a text; nothing else in it has a character of control. */
const PLACE = '\u0001';

/** A text that holds the address of the server, as the client names it. */
export class AddressedText {
  readonly #parts: readonly string[];
  readonly #kept = new Map<string, SharedText>();

  /** `textWith` makes the text with an address in it. */
  constructor(textWith: (address: string) => string) {
    this.#parts = textWith(PLACE).split(JSON.stringify(PLACE).slice(1, -1));
  }

  /** The text for a request. `isPlain`: it is not kept, so it is not worth compressing. */
  textFor(request: FastifyRequest): { text: SharedText; isPlain: boolean } {
    const address = addressOf(request);
    const kept = this.#kept.get(address);
    if (kept) return { text: kept, isPlain: false };
    const text = new SharedText(this.#parts.join(JSON.stringify(address).slice(1, -1)));
    if (this.#kept.size >= MAX_KEPT) return { text, isPlain: true };
    this.#kept.set(address, text);
    return { text, isPlain: false };
  }
}

/** `https://chat.example.com`: the address by which the client reaches this server; `/` if it names no host. */
function addressOf({ protocol, headers }: FastifyRequest): string {
  const address = `${protocol === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`;
  return HOST.test(headers.host ?? '') && URL.canParse(address) ? new URL(address).origin : '/';
}
