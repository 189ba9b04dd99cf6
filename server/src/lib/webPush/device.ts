import type { Seal } from '../seal.ts';
import type { DeviceKeys } from './encrypt.ts';

/** A device's push endpoint, and the keys with which its pushes are encrypted. */
export interface Device {
  endpoint: string;
  keys: DeviceKeys;
}

const cellOf = (id: string) => ({ table: 'pushSubscription', column: 'sealed', id });

/**
 * Encrypts a device's endpoint and keys, bound to the id of its row. Anyone who has them could send pushes to
 * the device.
 */
export const sealDevice = (seal: Seal, id: string, { endpoint, keys: { p256dh, auth } }: Device): string =>
  seal.seal(JSON.stringify({ endpoint, keys: { p256dh, auth } }), cellOf(id));

/** Decrypts a device. Throws an Error if it was encrypted with another secret key. */
export const openDevice = (seal: Seal, { id, sealed }: { id: string; sealed: string }): Device =>
  JSON.parse(seal.open(sealed, cellOf(id)));
