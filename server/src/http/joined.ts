import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { tenantOf } from '../access/authenticator.ts';
import { restOf } from '../operations/answer.ts';
import type { Joined, SharedPart } from '../operations/joined.ts';
import { sendBytes } from './chunks.ts';
import { digestOf, isKeptAs, notModified } from './conditional.ts';
import { encodingFor, MAX_BYTES_AT_ONCE, QUICK, sendEncoded, turns } from './encoding.ts';

/** The compression level for parts that many responses share. */
const SHARED_LEVEL = 6;
/** Shared parts smaller than this many bytes are compressed with each response. */
const MIN_SHARED_BYTES = 16 * 1024;
/**
 * A window of 8 KB. Its tables fit into the processor's cache, and repetitions in a person's part are close
 * together.
 */
const WINDOW_BITS = 13;
/** The header of a gzip stream (RFC 1952), without a time. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

const deflate = promisify(deflateRaw);

/** Compresses a shared part. The result ends at a byte boundary, so more blocks can follow. */
const deflateShared = (bytes: Buffer) =>
  deflate(bytes, { level: SHARED_LEVEL, finishFlush: constants.Z_SYNC_FLUSH });

/**
 * Returns both parts as one gzip stream. Only the second part is compressed now; the first part is compressed
 * once and cached.
 */
async function gzipJoined(shared: SharedPart, rest: Buffer): Promise<Buffer> {
  const options = { level: QUICK, windowBits: WINDOW_BITS };
  const [first, second] = await Promise.all([
    shared.deflated(deflateShared),
    rest.length <= MAX_BYTES_AT_ONCE ? deflateRawSync(rest, options) : deflate(rest, options),
  ]);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(rest, shared.crc), 0);
  trailer.writeUInt32LE(shared.bytes.length + rest.length, 4);
  return Buffer.concat([GZIP_HEADER, first, second, trailer]);
}

/**
 * Sends a record with a shared part or rows, as `send` does, with an ETag. Responds with 304 if the client
 * already has it. Codings other than gzip cannot continue a compressed prefix, but they compress the whole
 * record in less time.
 */
export function sendJoined(
  reply: FastifyReply,
  schema: TSchema,
  joined: Joined,
): ReturnType<typeof sendEncoded> {
  const { request } = reply;
  const { shared } = joined;
  const rest = Buffer.from(restOf(schema, joined));
  const digest = digestOf(rest);
  if (isKeptAs(reply, shared ? digestOf(shared.digest + digest) : digest)) return notModified(reply);
  const length = (shared?.bytes.length ?? 0) + rest.length;
  reply.server.unread.hold(reply, length);
  reply.header('content-type', 'application/json; charset=utf-8');
  const encoding = request.headers['accept-encoding'] === undefined ? undefined : encodingFor(request);
  if (encoding !== 'gzip' || !shared || shared.bytes.length < MIN_SHARED_BYTES)
    return sendEncoded(reply, shared ? Buffer.concat([shared.bytes, rest]) : rest, length);
  reply.header('content-encoding', encoding);
  const tenant = request.caller ? tenantOf(request.caller) : '';
  const begin = async () => (reply.raw.destroyed ? undefined : gzipJoined(shared, rest));
  return turns.run(tenant, begin).then((bytes) => (bytes ? sendBytes(reply, bytes) : ''));
}
