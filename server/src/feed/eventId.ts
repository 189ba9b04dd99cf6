import { crc32 } from 'node:zlib';

/**
 * The id of an event, which is the cursor of the feed: the epoch of the data (6 bytes), the number of the event (6),
 * the end of its log's identifier (4), and a checksum (4), in base64url. It holds no secret: whoever may read a log may
 * begin anywhere in it.
 */
const EPOCH = 6;
const SEQ = 6;
const LOG = 4;
const CHECKSUM = 4;
const BODY = EPOCH + SEQ + LOG;

export interface EventPlace {
  /** 12 hexadecimal digits. */
  epoch: string;
  seq: number;
}

const logTag = (logId: string): string => logId.slice(-2 * LOG);

/** The id of the event at a place of a log. */
export function eventIdOf(logId: string, { epoch, seq }: EventPlace): string {
  const bytes = Buffer.allocUnsafe(BODY + CHECKSUM);
  bytes.write(epoch, 0, EPOCH, 'hex');
  bytes.writeUIntBE(seq, EPOCH, SEQ);
  bytes.write(logTag(logId), EPOCH + SEQ, LOG, 'hex');
  bytes.writeUInt32BE(crc32(bytes.subarray(0, BODY)), BODY);
  return bytes.toString('base64url');
}

/** The place that an id names; undefined for a text that is no id, or that of an event of another log. */
export function placeOfEventId(logId: string, id: string): EventPlace | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== BODY + CHECKSUM || bytes.toString('base64url') !== id) return undefined;
  if (bytes.readUInt32BE(BODY) !== crc32(bytes.subarray(0, BODY))) return undefined;
  if (bytes.toString('hex', EPOCH + SEQ, BODY) !== logTag(logId)) return undefined;
  return { epoch: bytes.toString('hex', 0, EPOCH), seq: bytes.readUIntBE(EPOCH, SEQ) };
}
