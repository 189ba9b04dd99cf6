import { crc32 } from 'node:zlib';

/**
 * An event's id is also the cursor of its log: base64url of the data's epoch, the sequence number, the end of
 * the log's id, and a CRC32 of these. It is not signed, because a viewer with access to a log may start
 * reading at any position.
 */
const EPOCH_BYTES = 6;
const SEQ_BYTES = 6;
const LOG_BYTES = 4;
const CHECKSUM_BYTES = 4;
const BODY_BYTES = EPOCH_BYTES + SEQ_BYTES + LOG_BYTES;

/** The position of an event in its log. */
export interface LogPosition {
  /** The epoch, as 12 hexadecimal digits. */
  epoch: string;
  seq: number;
}

/** Separates the cursors of several logs. */
export const CURSOR_SEPARATOR = ',';

/** Returns the end of a log's id, which identifies the log in a cursor. */
export const logTag = (logId: string): string => logId.slice(-2 * LOG_BYTES);

/** Returns the id of the event at a position in a log. */
export function eventIdOf(logId: string, { epoch, seq }: LogPosition): string {
  const bytes = Buffer.allocUnsafe(BODY_BYTES + CHECKSUM_BYTES);
  bytes.write(epoch, 0, EPOCH_BYTES, 'hex');
  bytes.writeUIntBE(seq, EPOCH_BYTES, SEQ_BYTES);
  bytes.write(logTag(logId), EPOCH_BYTES + SEQ_BYTES, LOG_BYTES, 'hex');
  bytes.writeUInt32BE(crc32(bytes.subarray(0, BODY_BYTES)), BODY_BYTES);
  return bytes.toString('base64url');
}

/** Returns the tag of the log that a cursor belongs to (`logTag`); undefined if the text is not a cursor. */
export function tagOfEventId(id: string): string | undefined {
  const bytes = bytesOf(id);
  return bytes?.toString('hex', EPOCH_BYTES + SEQ_BYTES, BODY_BYTES);
}

function bytesOf(id: string): Buffer | undefined {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.length !== BODY_BYTES + CHECKSUM_BYTES || bytes.toString('base64url') !== id) return undefined;
  return bytes.readUInt32BE(BODY_BYTES) === crc32(bytes.subarray(0, BODY_BYTES)) ? bytes : undefined;
}

/** Decodes an id. Undefined if it is not the id of an event in this log. */
export function positionOfEventId(logId: string, id: string): LogPosition | undefined {
  const bytes = bytesOf(id);
  if (bytes?.toString('hex', EPOCH_BYTES + SEQ_BYTES, BODY_BYTES) !== logTag(logId)) return undefined;
  return {
    epoch: bytes.toString('hex', 0, EPOCH_BYTES),
    seq: bytes.readUIntBE(EPOCH_BYTES, SEQ_BYTES),
  };
}
