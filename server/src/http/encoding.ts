import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tenantOf } from '../access/authenticator.ts';
import { Turns } from '../lib/turns.ts';
import { sendBytes } from './portions.ts';

/** A content coding (RFC 9110, 8.4.1) of answers. */
export type Encoding = 'br' | 'gzip';

/** Answers up to this size, in bytes, fit into a packet or two: compressed, they would arrive no sooner. */
const MIN_BYTES = 1024;
/** Answers up to this size, in bytes, are compressed at once: handing them to a thread would take as long. */
const MAX_BYTES_AT_ONCE = 16 * 1024;
/** Larger answers that are compressed at the same time, by threads that the disk needs, too. */
const THREADS = 2;

/** A client's `Accept-Encoding`: the coding that it prefers, and whether it also takes an answer without one. */
interface Accepted {
  encoding: Encoding | undefined;
  plain: boolean;
}

/** Headers that were read already, up to so many and so long ones: clients send few different ones. */
const known = new Map<string, Accepted>();
const MAX_KNOWN = 100;
const MAX_KNOWN_CHARACTERS = 200;

/** The coding for a client by its header `Accept-Encoding` (RFC 9110, 12.5.3): of two that it likes equally, Brotli. */
export function acceptedBy({ headers }: Pick<FastifyRequest, 'headers'>): Accepted {
  const header = String(headers['accept-encoding'] ?? '');
  const before = known.get(header);
  if (before) return before;
  const accepted = read(header);
  if (header.length > MAX_KNOWN_CHARACTERS) return accepted;
  if (known.size === MAX_KNOWN) known.clear();
  known.set(header, accepted);
  return accepted;
}

function read(header: string): Accepted {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // A weight that is none is taken for a refusal: an answer without a coding is never wrong.
    weights.set(name.replace(/^x-/, ''), /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gzip] = [weightOf('br'), weightOf('gzip')];
  const best = Math.max(br, gzip);
  return {
    encoding: best === 0 || (weights.get('identity') ?? 0) > best ? undefined : br === best ? 'br' : 'gzip',
    plain: (weights.get('identity') ?? weights.get('*')) !== 0,
  };
}

const brotliOptions = (length: number, quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/**
 * Compresses by a thread. The quality is Brotli's, 0 to 11, or the level of gzip, 1 to 9. What zlib makes for it lives until V8 collects all, and so
 * does what the callback leads to: it lets go of the promise, and with that of both texts.
 */
export function compress(encoding: Encoding, bytes: Uint8Array, quality: number): Promise<Buffer> {
  const waiting = Promise.withResolvers<Buffer>();
  let settle: typeof waiting | undefined = waiting;
  const end = (error: Error | null, compressed: Buffer): void => {
    if (error) settle?.reject(error);
    else settle?.resolve(compressed);
    settle = undefined;
  };
  if (encoding === 'br') brotliCompress(bytes, brotliOptions(bytes.length, quality), end);
  else gzip(bytes, { level: quality }, end);
  return waiting.promise;
}

/** The quality and the level of answers that are made for one request: docs/decisions/0046. */
const QUICK = 1;

const compressAtOnce = (encoding: Encoding, bytes: Uint8Array): Buffer =>
  encoding === 'br'
    ? brotliCompressSync(bytes, brotliOptions(bytes.length, QUICK))
    : gzipSync(bytes, { level: QUICK });

const turns = new Turns(THREADS);

/**
 * Sends an answer as `sendBytes` does, compressed if its client accepts that and it is larger than 1 KB; a small one only if
 * its client accepts no other. `length` is that of the answer in bytes.
 */
export function sendEncoded(
  reply: FastifyReply,
  answer: string | Uint8Array,
  length: number,
): string | Uint8Array | FastifyReply | Promise<string | Uint8Array | FastifyReply> {
  const { request } = reply;
  const isAsked = request.headers['accept-encoding'] !== undefined;
  const isSmall = length <= MIN_BYTES;
  if (isSmall && (!isAsked || acceptedBy(request).plain)) return sendBytes(reply, answer);
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
  const encoding = isAsked ? acceptedBy(request).encoding : undefined;
  if (!encoding) return sendBytes(reply, answer);
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  const sendCompressed = (compressed: Buffer) => {
    reply.header('content-encoding', encoding);
    return sendBytes(reply, compressed);
  };
  if (length <= MAX_BYTES_AT_ONCE) return sendCompressed(compressAtOnce(encoding, bytes));
  const tenant = request.caller ? tenantOf(request.caller) : '';
  // Of an answer whose client has left by its turn, nothing is compressed: it would be held in memory, and nobody counts it.
  const begin = async () => (reply.raw.destroyed ? undefined : compress(encoding, bytes, QUICK));
  return turns.run(tenant, begin).then((compressed) => (compressed ? sendCompressed(compressed) : ''));
}
