import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendBytes } from './chunks.ts';
import { digestOf, has, notModified } from './conditional.ts';
import { compress, type Encoding, encodingFor } from './encoding.ts';

/** Uses medium quality: Brotli takes a hundred times as long at the highest one. */
const QUALITY: Record<Encoding, number> = { br: 5, gzip: 6, zstd: 9 };
/** The codings in order of preference: at these qualities, Brotli compresses best. */
const CODINGS = ['br', 'zstd', 'gzip'] as const;

/** A static text. All responses share the same bytes, which are compressed once per coding. */
export class SharedText {
  readonly #bytes: Buffer;
  readonly #digest: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string | Uint8Array) {
    this.#bytes = Buffer.from(text);
    this.#digest = digestOf(this.#bytes);
  }

  /**
   * Sends the text like `sendBytes`, with these headers. Compresses it if the client accepts that, unless
   * `isPlain`. Responds with 304 if the client already has it.
   */
  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { isPlain = false, headers = {} }: { isPlain?: boolean; headers?: Record<string, string> } = {},
  ): Promise<string | Uint8Array | FastifyReply> {
    const encoding = isPlain ? undefined : encodingFor(request, CODINGS);
    const tag = `"${this.#digest}${encoding ? `-${encoding}` : ''}"`;
    reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache', ...headers });
    if (has(request, tag)) return notModified(reply);
    if (!encoding) return sendBytes(reply, this.#bytes);
    reply.header('content-encoding', encoding);
    let compressed = this.#compressed.get(encoding);
    if (!compressed) {
      compressed = compress(encoding, this.#bytes, QUALITY[encoding]);
      this.#compressed.set(encoding, compressed);
    }
    return sendBytes(reply, await compressed);
  }
}
