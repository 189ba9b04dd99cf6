import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tenantOf } from '../access/authenticator.ts';
import type { CachedPage } from '../db/pageCache.ts';
import { Turns } from '../lib/turns.ts';
import { sendBytes } from './chunks.ts';

/** A content coding (RFC 9110, 8.4.1) for responses. */
export type Encoding = 'zstd' | 'br' | 'gzip';

/** The codings in order of preference. At its fastest setting, zstd is as fast as Brotli and compresses better. */
const PREFERRED: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/**
 * Responses smaller than this, in bytes, fit into one or two packets, so compression would not make them
 * faster.
 */
const MIN_BYTES = 1024;
/**
 * Responses up to this size, in bytes, are compressed synchronously. That takes less than half a millisecond,
 * and handing them to a thread would take as long.
 */
export const MAX_BYTES_AT_ONCE = 64 * 1024;
/** Maximum concurrent compressions of larger responses. They occupy threads that disk access also needs. */
const THREADS = 2;

/**
 * A client's `Accept-Encoding`: the weights of codings, and whether it also accepts uncompressed responses.
 */
interface Accepted {
  weights: Readonly<Record<Encoding, number>>;
  identity: number;
  plain: boolean;
}

/** A bounded cache of parsed headers: clients send few different ones. */
const known = new Map<string, Accepted>();
const MAX_KNOWN = 100;
const MAX_KNOWN_CHARACTERS = 200;

/**
 * Negotiates the content coding by `Accept-Encoding` (RFC 9110, 12.5.3). Among codings with the same weight,
 * the first one in `codings` wins. Undefined for an uncompressed response.
 */
export function encodingFor<E extends Encoding = Encoding>(
  request: Pick<FastifyRequest, 'headers'>,
  codings: readonly E[] = PREFERRED as readonly E[],
): E | undefined {
  const { weights, identity } = acceptedBy(request);
  let best: E | undefined;
  for (const coding of codings)
    if (weights[coding] > 0 && (best === undefined || weights[coding] > weights[best])) best = coding;
  return best === undefined || identity > weights[best] ? undefined : best;
}

function acceptedBy({ headers }: Pick<FastifyRequest, 'headers'>): Accepted {
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
    // An invalid weight counts as 0, so the response does not use that coding.
    weights.set(name.replace(/^x-/, ''), /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0);
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0;
  return {
    weights: { zstd: weightOf('zstd'), br: weightOf('br'), gzip: weightOf('gzip') },
    identity: weights.get('identity') ?? 0,
    plain: (weights.get('identity') ?? weights.get('*')) !== 0,
  };
}

const brotliOptions = (length: number, quality: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/**
 * Returns the options of zstd. Given the length of the text, zstd uses a smaller window and therefore less
 * memory.
 */
const zstdOptions = (length: number, level: number) => ({
  params: { [constants.ZSTD_c_compressionLevel]: level },
  pledgedSrcSize: length,
});

/**
 * Compresses in a thread. `quality` is Brotli's quality, 0 to 11, or the level of gzip, 1 to 9, or of zstd.
 * zlib's objects live until a major garbage collection, along with everything their callback references. The
 * callback therefore drops the promise and, with it, both texts.
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
  else if (encoding === 'zstd') zstdCompress(bytes, zstdOptions(bytes.length, quality), end);
  else gzip(bytes, { level: quality }, end);
  return waiting.promise;
}

/** Quality and level for responses to a single request (docs/decisions/0046). */
export const QUICK = 1;

function compressAtOnce(encoding: Encoding, bytes: Uint8Array): Buffer {
  if (encoding === 'br') return brotliCompressSync(bytes, brotliOptions(bytes.length, QUICK));
  if (encoding === 'zstd') return zstdCompressSync(bytes, zstdOptions(bytes.length, QUICK));
  return gzipSync(bytes, { level: QUICK });
}

/** Copies the output without the unused rest of the chunk that zlib allocated for it. */
function exactly(compressed: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(compressed.length);
  compressed.copy(copy);
  return copy;
}

/** Runs compressions in threads, a few at a time. */
export const turns = new Turns(THREADS);

/**
 * Like `sendBytes`, but compresses responses larger than 1 KB if the client accepts that. Compresses
 * smaller ones only if the client accepts nothing else. `length` is in bytes. `page` is the cached page from
 * which the response was created; the compressed response is cached with it.
 */
export function sendEncoded(
  reply: FastifyReply,
  answer: string | Uint8Array,
  length: number,
  page?: CachedPage,
): string | Uint8Array | FastifyReply | Promise<string | Uint8Array | FastifyReply> {
  const { request } = reply;
  const isAsked = request.headers['accept-encoding'] !== undefined;
  const isSmall = length <= MIN_BYTES;
  if (isSmall && (!isAsked || acceptedBy(request).plain)) return sendBytes(reply, answer);
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
  const encoding = isAsked ? encodingFor(request) : undefined;
  if (!encoding) return sendBytes(reply, answer);
  const sendCompressed = (compressed: Buffer) => {
    reply.header('content-encoding', encoding);
    return sendBytes(reply, compressed);
  };
  const known = page?.derived<Buffer>(encoding);
  if (known) return sendCompressed(known);
  const keep = (compressed: Buffer) =>
    page?.keep(encoding, exactly(compressed), compressed.length) ?? compressed;
  const bytes = typeof answer === 'string' ? Buffer.from(answer) : answer;
  if (length <= MAX_BYTES_AT_ONCE) return sendCompressed(keep(compressAtOnce(encoding, bytes)));
  const tenant = request.caller ? tenantOf(request.caller) : '';
  // Does not compress for a client that has disconnected, because the memory of the result would not be
  // accounted for.
  const begin = async () => (reply.raw.destroyed ? undefined : compress(encoding, bytes, QUICK));
  return turns.run(tenant, begin).then((compressed) => (compressed ? sendCompressed(keep(compressed)) : ''));
}
