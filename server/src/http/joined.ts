import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import { tenantOf } from '../access/authenticator.ts';
import { partsOf } from '../operations/answer.ts';
import type { Joined } from '../operations/joined.ts';
import { sendBytes } from './chunks.ts';
import { digestOf, isKeptAs, notModified } from './conditional.ts';
import { encodingFor, MAX_BYTES_AT_ONCE, QUICK, sendEncoded, turns } from './encoding.ts';

/** The compression level for parts that many responses share. */
const SHARED_LEVEL = 6;
/** If the compressed parts of a response are smaller than this many bytes, it is compressed as a whole. */
const MIN_COMPRESSED_BYTES = 16 * 1024;
/** Parts smaller than this many bytes are not compressed, because starting zlib would take longer. */
const MIN_BYTES = 512;
/**
 * A window of 8 KB. Its tables fit into the processor's cache, and repetitions in a person's part are close
 * together.
 */
const WINDOW_BITS = 13;
/** The header of a gzip stream (RFC 1952), without a time. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last block of a Deflate stream (RFC 1951), without content. */
const LAST_BLOCK = Buffer.from([1, 0, 0, 0xff, 0xff]);

const deflate = promisify(deflateRaw);

/** Compresses a shared part. The result ends at a byte boundary, so more blocks can follow. */
const deflateShared = (bytes: Buffer) =>
  deflate(bytes, { level: SHARED_LEVEL, finishFlush: constants.Z_SYNC_FLUSH });

/** Compresses a part of one response, likewise. */
function deflateOwn(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> {
  const options = { level: QUICK, windowBits: WINDOW_BITS, finishFlush: constants.Z_SYNC_FLUSH };
  if (bytes.length > MAX_BYTES_AT_ONCE) return deflate(bytes, options);
  return bytes.length < MIN_BYTES ? stored(bytes) : deflateRawSync(bytes, options);
}

/** Returns a block that contains the bytes as they are. */
function stored(bytes: Uint8Array): Uint8Array {
  const block = Buffer.allocUnsafe(5 + bytes.length);
  block[0] = 0;
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(0xffff ^ bytes.length, 3);
  block.set(bytes, 5);
  return block;
}

/**
 * Returns a response's parts as one gzip stream. Compresses only those that are not shared and not rows. The
 * shared part is compressed once and cached.
 */
async function gzipJoined({ shared, rows }: Joined, parts: readonly Uint8Array[]): Promise<Buffer> {
  let crc = 0;
  let length = 0;
  const blocks: (Uint8Array | Promise<Uint8Array>)[] = [];
  for (const part of parts) {
    length += part.length;
    crc = part === shared?.bytes ? shared.crc : crc32(part, crc);
    if (part === shared?.bytes) blocks.push(shared.deflated(deflateShared));
    else blocks.push(part === rows?.bytes ? rows.deflated : deflateOwn(part));
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length, 4);
  return Buffer.concat([GZIP_HEADER, ...(await Promise.all(blocks)), LAST_BLOCK, trailer]);
}

/** Returns the digest of a response. Hashes the shared part once, and compressed rows, which are shorter. */
const digestOfParts = ({ shared, rows }: Joined, parts: readonly Uint8Array[]): string =>
  digestOf(
    parts
      .map((part) => {
        if (part === shared?.bytes) return shared.digest;
        return digestOf(part === rows?.bytes ? rows.deflated : part);
      })
      .join(),
  );

/**
 * Sends a record with a shared part or rows, as `send` does, with an ETag. Responds with 304 if the client
 * already has it. Codings other than gzip cannot continue compressed parts, but they compress the whole
 * record in less time.
 */
export function sendJoined(
  reply: FastifyReply,
  schema: TSchema,
  joined: Joined,
): ReturnType<typeof sendEncoded> {
  const { request } = reply;
  const { shared, rows } = joined;
  const parts = partsOf(schema, joined);
  if (isKeptAs(reply, digestOfParts(joined, parts))) return notModified(reply);
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const compressed = (shared?.bytes.length ?? 0) + (rows?.bytes.length ?? 0);
  reply.server.unread.hold(reply, length);
  reply.header('content-type', 'application/json; charset=utf-8');
  const encoding = request.headers['accept-encoding'] === undefined ? undefined : encodingFor(request);
  if (encoding !== 'gzip' || compressed < MIN_COMPRESSED_BYTES)
    return sendEncoded(reply, Buffer.concat(parts), length);
  const send = (bytes: Buffer) => sendBytes(reply, bytes);
  reply.header('content-encoding', encoding);
  if (length - compressed <= MAX_BYTES_AT_ONCE) return gzipJoined(joined, parts).then(send);
  const tenant = request.caller ? tenantOf(request.caller) : '';
  const begin = async () => (reply.raw.destroyed ? undefined : gzipJoined(joined, parts));
  return turns.run(tenant, begin).then((bytes) => (bytes ? send(bytes) : ''));
}
