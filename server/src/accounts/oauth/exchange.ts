import { createHash } from 'node:crypto';
import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, remove, update } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { personActor, transact, transactOnAccount, type Work, workIn } from '../../operations/work.ts';
import { clientOf, recordHistory } from '../history/record.ts';
import { notifyOfSignIn } from '../notices.ts';
import { isFull } from '../room.ts';
import { addSession } from '../session.ts';
import { addGrant, canActIn, endGrant, type GrantTokens } from './grant.ts';
import type { Refusal } from './parameters.ts';
import { newCode, newUserCode } from './userCodes.ts';

/** Lifetime of a device code and its user code. */
export const APPROVAL_MS = 10 * 60_000;
/** The `interval` at which an app polls with a device code. */
export const POLL_SECONDS = 5;
/** Maximum polls per rate limit window: one more than an app makes at an interval of `POLL_SECONDS`. */
const POLLS = 13;

/** How long a used code is kept to detect replays. */
const REMEMBERED_MS = 24 * 60 * 60_000;

/** Maximum pending device approvals, in total and per address. Further requests are rejected. */
const ROOM = { all: 10_000, ofAddress: 20 };

/** The result of an exchange: the token of a session, or the tokens of a grant. */
export type Granted = { token: string } | GrantTokens;

interface Asking {
  /** The name that the app gives itself. */
  client: string;
  /** The device's name; null if there is none. */
  device: string | null;
  address: string;
}

/** The columns of an approval that describe a grant: all null if the code is exchanged for a session. */
export const ofSession = { serverId: null, clientName: null, flags: null, resource: null, grantId: null };

/** Starts a device approval. Returns undefined if too many are pending. Throws `DiskFull`. */
export async function beginDevice(services: Services, asking: Asking) {
  await services.disks.data.requireRoom();
  return transact(services, async (tx, pending) => {
    const work = workIn(tx, services, undefined, pending);
    if (await isFull(work, 'approval', asking.address, ROOM)) return undefined;
    const [deviceCode, userCode] = [newCode(work.randomBytes), newUserCode(work.randomBytes)];
    const made = work.newRow();
    const row: RowOf<'approval'> = {
      ...made,
      ...asking,
      digest: digestOf(deviceCode),
      userCodeDigest: digestOf(userCode),
      status: 'pending',
      userId: null,
      redirectUri: null,
      codeChallenge: null,
      expiresAt: made.createdAt + APPROVAL_MS,
      sessionId: null,
      ...ofSession,
    };
    await tx.run(insert('approval', row));
    return { deviceCode, userCode };
  });
}

/** A token request. `codeVerifier` and `redirectUri` belong to the authorization code flow. */
export type Exchange = { client: string; code: string } & (
  | { by: 'device' }
  | { by: 'redirect'; codeVerifier: string; redirectUri: string; resource: string | undefined }
);

/**
 * Exchanges an approval's code for the token of a new session or the tokens of a new grant, or returns the
 * error. A code can be exchanged only once, on any node.
 */
export const exchange = (services: Services, asked: Exchange): Promise<Granted | Refusal> =>
  asked.by === 'device' ? byDevice(services, asked) : byRedirect(services, asked);

async function byDevice(
  services: Services,
  { client, code }: Exchange,
): Promise<{ token: string } | Refusal> {
  const { db, deps, limiter } = services;
  const digest = digestOf(code);
  const found = await db.read.first(find('approval', { digest }));
  if (!found || found.userCodeDigest === null || found.client !== client) return 'invalid_grant';
  if (found.expiresAt <= deps.now()) return 'expired_token';
  if (!(await limiter.take(`poll ${digest}`, POLLS)).accepted) return 'slow_down';
  if (found.status === 'pending') return 'authorization_pending';
  if (found.status === 'denied') return 'access_denied';
  const userId = found.userId as string;
  // The transaction locks the account, as do the writes that revoke its sessions.
  return transactOnAccount(services, userId, async (tx, pending) => {
    const work = workIn(tx, services, personActor(userId), pending);
    if ((await tx.count(remove('approval', { id: found.id, status: 'approved' }))) !== 1)
      return 'invalid_grant';
    const made = await sessionOf(work, services, found, 'access_denied');
    return typeof made === 'string' ? made : { token: made.token };
  });
}

async function byRedirect(
  services: Services,
  asked: Extract<Exchange, { by: 'redirect' }>,
): Promise<Granted | Refusal> {
  const found = await services.db.read.first(find('approval', { digest: digestOf(asked.code) }));
  if (!found || found.codeChallenge === null) return 'invalid_grant';
  const userId = found.userId as string;
  return transactOnAccount(services, userId, async (tx, pending) => {
    const work = workIn(tx, services, personActor(userId), pending);
    const row = await tx.first(find('approval', { id: found.id }));
    if (row?.status !== 'approved') {
      // A code that is used twice has leaked, and an attacker may hold the session or grant that was created
      // from it (RFC 6749, 4.1.2).
      if (row?.sessionId) await tx.run(remove('session', { id: row.sessionId }));
      const grant = row?.grantId ? await tx.first(find('grant', { id: row.grantId })) : undefined;
      if (grant) await endGrant(work, grant, null);
      return 'invalid_grant';
    }
    const used = {
      status: 'used',
      address: '',
      expiresAt: work.now + REMEMBERED_MS,
      updatedAt: work.now,
    } as const;
    // The first use consumes a code, even if the rest of the request is invalid.
    await tx.run(update('approval', row.id, used));
    const challenge = createHash('sha256').update(asked.codeVerifier).digest('base64url');
    const isRight =
      found.expiresAt > work.now &&
      found.client === asked.client &&
      found.redirectUri === asked.redirectUri &&
      found.codeChallenge === challenge;
    if (!isRight) return 'invalid_grant';
    if (row.serverId !== null) return grantOf(work, row, row.serverId, asked.resource);
    const made = await sessionOf(work, services, found, 'invalid_grant');
    if (typeof made === 'string') return made;
    await tx.run(update('approval', row.id, { sessionId: made.id }));
    return { token: made.token };
  });
}

/**
 * Creates a grant. Returns an error if the resource differs from that of the approval, or if the person is
 * suspended or has left the server. The error is not thrown, so that the code stays consumed.
 */
async function grantOf(
  work: Work,
  row: RowOf<'approval'>,
  serverId: string,
  resource: string | undefined,
): Promise<Granted | Refusal> {
  const { db } = work;
  const userId = row.userId as string;
  if (resource !== undefined && resource !== row.resource) return 'invalid_target';
  if (!(await canActIn(db, userId, serverId))) return 'invalid_grant';
  const { id, ...tokens } = await addGrant(work, userId, serverId, row);
  await db.run(update('approval', row.id, { grantId: id }));
  return tokens;
}

/**
 * Creates a session. Returns an error if the person is suspended. The error is not thrown, so that the code
 * stays consumed.
 */
async function sessionOf(
  work: Work,
  services: Services,
  { userId, client, device, address }: RowOf<'approval'>,
  refusal: Refusal,
): Promise<{ id: string; token: string } | Refusal> {
  const user = await work.db.first(find('user', { id: userId as string }));
  if (!user || user.suspendedAt !== null) return refusal;
  const named = device === null ? client : `${client}, ${device}`;
  const { token, session } = await addSession(work, {
    userId: userId as string,
    device: named,
    bearer: true,
  });
  const from = clientOf({ device: named, address });
  await recordHistory(work, { userId: user.id, type: 'signedIn', method: 'app', ...from });
  const { db, now, newRow } = work;
  await notifyOfSignIn({ db, now, newRow, services }, user.id, from);
  return { id: session.id, token };
}
