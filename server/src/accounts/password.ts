import * as crypto from 'node:crypto';
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, invalid } from '../errors.ts';
import { late } from '../lib/late.ts';
import { Turns } from '../lib/turns.ts';

export const MIN_PASSWORD_CHARACTERS = 8;
export const MAX_PASSWORD_CHARACTERS = 256;

/** Argon2id as OWASP advises: 19 MiB, two passes. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Hashes at once: each takes a thread of the pool, and the pool also writes to the disk. */
const AT_ONCE = 2;
/** Hashes that wait, at most, in all and for one network: nobody alone can keep others from signing in. */
const MAX_WAITING = 1000;
const MAX_WAITING_OF_ONE = 20;

/** Not imported by its name: Node has it since 24.7, and an older one would refuse to load this file. */
const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    crypto.argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key))),
  );

/** The list of common passwords takes 20 KB, and few people choose one. */
const loadCommon = late(() => import('./commonPasswords.ts'));

const turns = new Turns(AT_ONCE);
let waiting = 0;
const waitingOf = new Map<string, number>();

/** Derives a key off the event loop. `tenant` is the client's network: many hashes for one delay others by one. */
async function derived(tenant: string, password: string, nonce: Uint8Array): Promise<Buffer> {
  const own = waitingOf.get(tenant) ?? 0;
  if (waiting >= MAX_WAITING || own >= MAX_WAITING_OF_ONE)
    throw new ApiError('RATE_LIMITED', 'too many people sign in at this moment: try again', undefined, {
      'retry-after': '5',
    });
  waiting++;
  waitingOf.set(tenant, own + 1);
  const parameters = {
    message: password.normalize('NFKC'),
    nonce,
    parallelism: LANES,
    tagLength: HASH_BYTES,
    memory: MEMORY_KIB,
    passes: PASSES,
  };
  try {
    return await turns.run(tenant, () => derive(parameters));
  } finally {
    waiting--;
    const left = (waitingOf.get(tenant) ?? 0) - 1;
    if (left > 0) waitingOf.set(tenant, left);
    else waitingOf.delete(tenant);
  }
}

const plain = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/** PHC string of the given salt and key. */
const hashOf = (salt: Uint8Array, key: Uint8Array): string =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${plain(salt)}$${plain(key)}`;

/** The hash of a password, in the PHC string format. Throws RATE_LIMITED if too many hashes are queued. */
export async function hashPassword(tenant: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return hashOf(salt, await derived(tenant, password, salt));
}

/** The hash of no password: its key is random. */
const NOBODY = hashOf(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/**
 * True if the hash is that of the password. Without a hash it compares with one that no password has, so that the time of
 * the answer does not tell whether there is an account. Throws RATE_LIMITED if too many hashes are queued.
 */
export async function isPassword(
  tenant: string,
  password: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const [, , , , salt = '', expected = ''] = (hash ?? NOBODY).split('$');
  const given = await derived(tenant, password, Buffer.from(salt, 'base64'));
  const known = Buffer.from(expected, 'base64');
  const isEqual = given.length === known.length && timingSafeEqual(given, known);
  return isEqual && typeof hash === 'string';
}

/** Rejects with INVALID_REQUEST for a password that others would guess: a common one, or one that names the account. */
export async function requireStrong(
  path: string,
  password: string,
  ...names: (string | null)[]
): Promise<void> {
  const { isCommon } = await loadCommon();
  if (isCommon(password))
    throw invalid('weak_password', path, 'is one of the most common passwords: choose another');
  const plainly = password.toLowerCase();
  if (names.some((name) => name !== null && plainly === name.toLowerCase()))
    throw invalid('weak_password', path, 'must not be your name or your address');
}
