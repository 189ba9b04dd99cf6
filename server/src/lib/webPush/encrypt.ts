import { createCipheriv, createECDH, ECDH, hkdfSync } from 'node:crypto';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
/** The record size. The whole message is a single record, as push services require (RFC 8291, 4). */
const RECORD_BYTES = 4096;
/** The delimiter of the last record (RFC 8188, 2). */
const LAST = 2;
/** Maximum bytes of a message, which leaves room for the header, the delimiter and the tag (RFC 8291, 4). */
const MAX_PUSH_BYTES = 3993;

/** A device's public key and its authentication secret, in base64url, from `PushSubscription.getKey`. */
export interface DeviceKeys {
  p256dh: string;
  auth: string;
}

/** Whether the keys have the right lengths, and the public key is a point on the curve. */
export function areKeys({ p256dh, auth }: DeviceKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    ECDH.convertKey(point, CURVE);
    return true;
  } catch {
    return false;
  }
}

/**
 * Encrypts a message for a device (RFC 8291, `aes128gcm`). Throws a RangeError if it is longer than
 * `MAX_PUSH_BYTES`, and an Error if `areKeys` is false.
 */
export function encrypt(
  message: Uint8Array,
  { p256dh, auth }: DeviceKeys,
  randomBytes: (size: number) => Uint8Array,
): Buffer {
  if (message.length > MAX_PUSH_BYTES) throw new RangeError('the message is too long for a push');
  const receiver = Buffer.from(p256dh, 'base64url');
  const own = createECDH(CURVE);
  const sender = own.generateKeys();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender]);
  const secret = derived(own.computeSecret(receiver), Buffer.from(auth, 'base64url'), info, 32);
  const salt = randomBytes(SALT_BYTES);
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const sizes = Buffer.alloc(5);
  sizes.writeUInt32BE(RECORD_BYTES, 0);
  sizes.writeUInt8(sender.length, 4);
  return Buffer.concat([
    salt,
    sizes,
    sender,
    cipher.update(message),
    cipher.update(Uint8Array.of(LAST)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

const derived = (secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));
