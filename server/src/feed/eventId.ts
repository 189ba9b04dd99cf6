import { crc32 } from 'node:zlib';

/**
 * The id of an event is also the cursor of its log. It is base64url of the epoch of the data, the event's number, the
 * end of the log's id, and a CRC32 of all that. It needs no signature: a viewer who may read a log may begin anywhere.
 */
const EPOCH_BYTES = 6;
const SEQ_BYTES = 6;
const LOG_BYTES = 4;
const CHECKSUM_BYTES = 4;
const BODY_BYTES = EPOCH_BYTES + SEQ_BYTES + LOG_BYTES;

/** The place of an event in its log. */
export interface EventPlace {
  /** 12 hexadecimal digits. */
  epoch: string;
  seq: number;
}

/** Between the cursors of several logs. */
export const CURSOR_SEPARATOR = ',';

/** The end of a log's id, by which a cursor names its log. */
export const logTag = (logId: string): string => logId.slice(-2 * LOG_BYTES);

/** The id of the event at a place of a log. */
export function eventIdOf(logId: string, { epoch, seq }: EventPlace): string {
  const bytes = Buffer.allocUnsafe(BODY_BYTES + CHECKSUM_BYTES);
  bytes.write(epoch, 0, EPOCH_BYTES, 'hex');
  bytes.writeUIntBE(seq, EPOCH_BYTES, SEQ_BYTES);
  bytes.write(logTag(logId), EPOCH_BYTES + SEQ_BYTES, LOG_BYTES, 'hex');
  bytes.writeUInt32BE(crc32(bytes.subarray(0, BODY_BYTES)), BODY_BYTES);
  return bytes.toString('base64url');
}

/** The end of the id of the log that a cursor names; undefined if the text is no cursor. */
export function tagOfEventId(id: string): string | undefined {
  const bytes = bytesOf(id);
  return bytes?.toString('hex', EPOCH_BYTES + SEQ_BYTES, BODY_BYTES);
}

function bytesOf(id: string): Buffer | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== BODY_BYTES + CHECKSUM_BYTES || bytes.toString('base64url') !== id) return undefined;
  return bytes.readUInt32BE(BODY_BYTES) === crc32(bytes.subarray(0, BODY_BYTES)) ? bytes : undefined;
}

/** The place in an id. Undefined if the text is not an id of an event of this log. */
export function placeOfEventId(logId: string, id: string): EventPlace | undefined {
  const bytes = bytesOf(id);
  if (bytes?.toString('hex', EPOCH_BYTES + SEQ_BYTES, BODY_BYTES) !== logTag(logId)) return undefined;
  return {
    epoch: bytes.toString('hex', 0, EPOCH_BYTES),
    seq: bytes.readUIntBE(EPOCH_BYTES, SEQ_BYTES),
  };
}
