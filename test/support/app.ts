import { createHmac } from 'node:crypto';

const STEP_MS = 30_000;

/** The code that an authenticator app with the secret shows at a time in ms (RFC 6238), implemented independently. */
export function appShows(secret: string, at: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let number = 0n;
  for (const letter of secret) number = number * 32n + BigInt(alphabet.indexOf(letter));
  const key = Buffer.from(number.toString(16).padStart((secret.length * 5) / 4, '0'), 'hex');
  const counter = Math.floor(at / STEP_MS)
    .toString(16)
    .padStart(16, '0');
  const mac = createHmac('sha1', key).update(Buffer.from(counter, 'hex')).digest('hex');
  const offset = Number.parseInt(mac.slice(-1), 16) * 2;
  const part = Number.parseInt(mac.slice(offset, offset + 8), 16) & 0x7fffffff;
  return String(part % 1_000_000).padStart(6, '0');
}
