import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendBytes } from '../portions.ts';

type Encoding = 'br' | 'gzip';

/** A low quality of Brotli: it takes a tenth of a second for the script of the docs, and the highest one ten. */
const BROTLI_QUALITY = 5;

const compress: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: promisify(gzip),
};

/** A text for everybody. All answers send the same bytes, which are compressed once for each encoding. */
export class SharedText {
  readonly #bytes: Buffer;
  readonly #digest: string;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string | Uint8Array) {
    this.#bytes = Buffer.from(text);
    this.#digest = hash('sha256', this.#bytes, 'base64url').slice(0, 22);
  }

  /** Sets the headers of an answer, and sends its bytes as `sendBytes` does; or answers 304, to a client that has them. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<string | Uint8Array | FastifyReply> {
    const encoding = (['br', 'gzip'] as const).find((name) => accepts(request, name));
    const tag = `"${this.#digest}${encoding ? `-${encoding}` : ''}"`;
    reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
    const has = request.headers['if-none-match']
      ?.split(',')
      .some((known) => known.trim().replace(/^W\//, '') === tag);
    if (has) return reply.code(304).removeHeader('content-type').send();
    if (!encoding) return sendBytes(reply, this.#bytes);
    reply.header('content-encoding', encoding);
    let compressed = this.#compressed.get(encoding);
    if (!compressed) {
      compressed = compress[encoding](this.#bytes);
      this.#compressed.set(encoding, compressed);
    }
    return sendBytes(reply, await compressed);
  }
}

/** True if the header `Accept-Encoding` has this encoding (RFC 9110, 12.5.3). */
function accepts({ headers }: FastifyRequest, encoding: Encoding): boolean {
  const accepted = headers['accept-encoding'] ?? '';
  return String(accepted)
    .split(',')
    .some((part) => {
      const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
