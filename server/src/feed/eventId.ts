import { crc32 } from 'node:zlib';

/**
 * The id of an event, which is the cursor of the feed: the epoch of the data (6 bytes), the number of the event (6),
 * the end of its server's identifier (4), and a checksum (4), in base64url. It holds no secret: who may read a server's log may
 * begin anywhere in it.
 */
const EPOCH = 6;
const SEQ = 6;
const SERVER = 4;
const CHECKSUM = 4;
const BODY = EPOCH + SEQ + SERVER;

export interface EventPlace {
  /** 12 hexadecimal digits. */
  epoch: string;
  seq: number;
}

const serverTag = (serverId: string): string => serverId.slice(-2 * SERVER);

export function eventIdOf(serverId: string, { epoch, seq }: EventPlace): string {
  const bytes = Buffer.allocUnsafe(BODY + CHECKSUM);
  bytes.write(epoch, 0, EPOCH, 'hex');
  bytes.writeUIntBE(seq, EPOCH, SEQ);
  bytes.write(serverTag(serverId), EPOCH + SEQ, SERVER, 'hex');
  bytes.writeUInt32BE(crc32(bytes.subarray(0, BODY)), BODY);
  return bytes.toString('base64url');
}

/** What an id says; undefined for a text that is none, or that of an event of another server. */
export function placeOfEventId(serverId: string, id: string): EventPlace | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== BODY + CHECKSUM || bytes.toString('base64url') !== id) return undefined;
  if (bytes.readUInt32BE(BODY) !== crc32(bytes.subarray(0, BODY))) return undefined;
  if (bytes.toString('hex', EPOCH + SEQ, BODY) !== serverTag(serverId)) return undefined;
  return { epoch: bytes.toString('hex', 0, EPOCH), seq: bytes.readUIntBE(EPOCH, SEQ) };
}
