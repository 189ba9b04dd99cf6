import * as crypto from 'node:crypto';
import { type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { ApiError, invalid } from '../errors.ts';
import { late } from '../lib/late.ts';
import { siteOf } from '../lib/network.ts';
import { TenantShares } from '../lib/tenantShares.ts';
import { Turns } from '../lib/turns.ts';
import { type Weakness, weaknessOf } from './weakPassword.ts';

export const MIN_PASSWORD_CHARACTERS = 8;
export const MAX_PASSWORD_CHARACTERS = 256;

/** The parameters of Argon2id that OWASP recommends: 19 MiB, two passes. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Limits for the parameters of a stored hash, so that a hostile hash cannot use up memory or CPU time. */
const MAX_MEMORY_KIB = 131_072;
const MAX_PASSES = 10;
const MAX_LANES = 4;
const MAX_COST = 16 * MEMORY_KIB * PASSES;
const MAX_BYTES = 64;

/** Maximum concurrent hashes. Each occupies a thread of the thread pool, which disk writes also use. */
const AT_ONCE = 2;
/**
 * Maximum queued hashes in total, shared among sites (`siteOf`), and per network, so that nobody can block
 * other people's sign-ins.
 */
const MAX_WAITING = 1000;
const MAX_WAITING_OF_ONE = 20;

/**
 * Derives a key in a thread. `argon2` is not imported by name, because it was added in Node 24.7, and an
 * older Node would fail to load this file.
 */
const derive = (parameters: Argon2Parameters): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    crypto.argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key))),
  );

/** The list is loaded on demand, because people rarely set passwords. */
const loadCommon = late(async () => (await import('./commonPasswords.ts')).readCommonPasswords());

const turns = new Turns(AT_ONCE);
const waiting = new TenantShares(MAX_WAITING);
const waitingOf = new Map<string, number>();

/**
 * Derives a key off the event loop. `tenant` is the client's network, for fair scheduling: other networks
 * wait for at most one of its hashes.
 */
async function derived(
  tenant: string,
  password: string,
  { salt: nonce, memory, passes, parallelism, tagLength }: Salted,
): Promise<Buffer> {
  const own = waitingOf.get(tenant) ?? 0;
  const site = siteOf(tenant);
  if (!waiting.hasRoom(site) || own >= MAX_WAITING_OF_ONE)
    throw new ApiError('RATE_LIMITED', 'too many people are signing in right now. Try again', undefined, {
      'retry-after': '5',
    });
  waiting.add(site, 1);
  waitingOf.set(tenant, own + 1);
  const parameters = {
    message: password.normalize('NFKC'),
    nonce,
    parallelism,
    tagLength,
    memory,
    passes,
  };
  try {
    return await turns.run(tenant, () => derive(parameters));
  } finally {
    waiting.add(site, -1);
    const left = (waitingOf.get(tenant) ?? 0) - 1;
    if (left > 0) waitingOf.set(tenant, left);
    else waitingOf.delete(tenant);
  }
}

/** The parameters of a hash, and its salt. */
interface Salted {
  salt: Uint8Array;
  memory: number;
  passes: number;
  parallelism: number;
  tagLength: number;
}

const current = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES, tagLength: HASH_BYTES };

const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$([A-Za-z\d+/]{11,86})\$([A-Za-z\d+/]{16,86})$/;

/** Parses a PHC string. Undefined if it is malformed, or if its parameters are too expensive. */
function parsed(text: string): (Salted & { key: Buffer }) | undefined {
  const [, m, t, p, salted = '', keyed = ''] = PHC.exec(text) ?? [];
  const [memory, passes, parallelism] = [Number(m), Number(t), Number(p)];
  const [salt, key] = [Buffer.from(salted, 'base64'), Buffer.from(keyed, 'base64')];
  const isSane =
    parallelism >= 1 &&
    parallelism <= MAX_LANES &&
    passes >= 1 &&
    passes <= MAX_PASSES &&
    memory >= 8 * parallelism &&
    memory <= MAX_MEMORY_KIB &&
    memory * passes <= MAX_COST &&
    Math.max(salt.length, key.length) <= MAX_BYTES;
  return isSane ? { salt, key, memory, passes, parallelism, tagLength: key.length } : undefined;
}

/** Whether a hash's parameters differ from those of new hashes. */
export function isOutdated(hash: string): boolean {
  const known = parsed(hash);
  return (
    known === undefined ||
    Object.entries(current).some(([name, value]) => known[name as keyof typeof current] !== value)
  );
}

const plain = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

/** Returns the PHC string for a salt and key. */
const hashOf = (salt: Uint8Array, key: Uint8Array): string =>
  `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${LANES}$${plain(salt)}$${plain(key)}`;

/** Hashes a password, in PHC string format. Throws RATE_LIMITED if too many hashes are queued. */
export async function hashPassword(tenant: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return hashOf(salt, await derived(tenant, password, { ...current, salt }));
}

/** A hash that no password matches, because its key is random. */
const NOBODY = hashOf(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

/**
 * Whether the password matches the hash, using the hash's own parameters. Without a hash, the password is
 * compared with `NOBODY`, so the response time does not reveal whether the account exists. Throws
 * RATE_LIMITED if too many hashes are queued.
 */
export async function isPassword(
  tenant: string,
  password: string,
  hash: string | null | undefined,
): Promise<boolean> {
  const stored = typeof hash === 'string' ? parsed(hash) : undefined;
  const known = stored ?? (parsed(NOBODY) as Salted & { key: Buffer });
  const given = await derived(tenant, password, known);
  return timingSafeEqual(given, known.key) && stored !== undefined;
}

/**
 * Rejects with INVALID_REQUEST if a password is easy to guess (`weaknessOf`). `names` are names and email
 * addresses on which it must not be based.
 */
export async function requireStrong(
  path: string,
  password: string,
  ...names: (string | null | undefined)[]
): Promise<void> {
  const weakness = weaknessOf(password, [PRODUCT, ...names], await loadCommon());
  if (weakness) throw invalid('weak_password', path, words[weakness]);
}

const PRODUCT = 'palaver';

const words: Readonly<Record<Weakness, string>> = {
  common: 'must not be a common password, or derived from one',
  name: 'must not be based on your name, your email address, the name of the server or “Palaver”',
  repeated: 'must contain at least four different characters',
};
