import { seeded } from './seeded.ts';

/**
 * The format of an API key (decisions, part 5), implemented independently so that the tests do not rely on the
 * server's code.
 */

const random = seeded();
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC32 (IEEE 802.3), bit by bit. */
function crc32(text: string): number {
  let rest = 0xffff_ffff;
  for (const byte of Buffer.from(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb8_8320 : 0);
  }
  return (rest ^ 0xffff_ffff) >>> 0;
}

function base62(number: number): string {
  let digits = '';
  for (let rest = number; digits.length < 6; rest = Math.floor(rest / 62)) {
    digits = `${alphabet[rest % 62]}${digits}`;
  }
  return digits;
}

export const withChecksum = (text: string): string => text + base62(crc32(text));

/** A well-formed key that was never issued. */
export function unknownKey(): string {
  const characters = Array.from({ length: 32 }, () => alphabet[Math.floor(random.next() * 62)]);
  return withChecksum(`sk_live_plv_${characters.join('')}`);
}
