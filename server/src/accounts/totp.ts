import { createHmac, timingSafeEqual } from 'node:crypto';

// Codes from authenticator apps: TOTP (RFC 6238) with the parameters that all apps support.

const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** To allow for clock skew, codes of this many time steps before and after the current one are accepted. */
const DRIFT_STEPS = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in Base32 without padding (RFC 4648, 6). */
export function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)));
}

/** Generates a secret, in base32. */
export const newTotpSecret = (randomBytes: (size: number) => Uint8Array): string =>
  base32(randomBytes(SECRET_BYTES));

/** Returns the URI for a QR code (Key URI format). */
export const totpUri = (secret: string, username: string): string =>
  `otpauth://totp/Palaver:${encodeURIComponent(username)}?secret=${secret}&issuer=Palaver`;

/** Returns the code for a time step (RFC 4226, 5.3). */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = (mac.at(-1) as number) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export const isTotpCode = (code: string): boolean => code.length === DIGITS && /^\d+$/.test(code);

/** Returns the time step whose code this is, among those near `now` (in ms); undefined if it matches none. */
export function stepOf(secret: string, code: string, now: number): number | undefined {
  const present = Math.floor(now / STEP_MS);
  for (let step = present - DRIFT_STEPS; step <= present + DRIFT_STEPS; step++)
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) return step;
  return undefined;
}
