import type { FastifyRequest } from 'fastify';
import { SharedText } from '../sharedText.ts';

/**
 * Maximum number of cached addresses. A server has few, but clients can send any number of them. The limit
 * keeps these from using up memory and CPU time.
 */
const MAX_KEPT = 8;
/** Matches a host and an optional port, without the other characters that URLs allow, such as quotes. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;
/** The placeholder for the address. The text contains no other control characters. */
const PLACE = '\u0001';

/** A text that contains the server's address as seen by the client. */
export class AddressedText {
  readonly #parts: readonly string[];
  readonly #kept = new Map<string, SharedText>();

  /** `textWith` renders the text with an address. */
  constructor(textWith: (address: string) => string) {
    this.#parts = textWith(PLACE).split(JSON.stringify(PLACE).slice(1, -1));
  }

  /**
   * Returns the text for a request. If `isPlain` is set, the text is not cached and therefore not worth
   * compressing.
   */
  textFor(request: FastifyRequest): { text: SharedText; isPlain: boolean } {
    const address = originOf(request) + request.server.site.base || '/';
    const kept = this.#kept.get(address);
    if (kept) return { text: kept, isPlain: false };
    const text = new SharedText(this.#parts.join(JSON.stringify(address).slice(1, -1)));
    if (this.#kept.size >= MAX_KEPT) return { text, isPlain: true };
    this.#kept.set(address, text);
    return { text, isPlain: false };
  }
}

/**
 * Returns the origin that the client uses for this server, such as `https://chat.example.com`; empty if the
 * request names no host.
 */
function originOf({ protocol, headers }: FastifyRequest): string {
  const address = `${protocol === 'https' ? 'https' : 'http'}://${headers.host ?? ''}`;
  return HOST.test(headers.host ?? '') && URL.canParse(address) ? new URL(address).origin : '';
}
