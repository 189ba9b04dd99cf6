import type { RowOf } from '../../db/schema.ts';
import { insert, q, update } from '../../db/statements.ts';
import type { HistoryType } from '../../db/tables/history.ts';
import type { From } from '../../operations/from.ts';
import type { Work } from '../../operations/work.ts';
import { deviceOf } from '../fields.ts';

/** Maximum entries per account. Beyond it, the oldest are deleted. */
const MAX_ENTRIES = 1_000;
const HOUR_MS = 60 * 60_000;
/**
 * Maximum entries about failures per account and day; an entry covers one address and hour. Beyond that,
 * failures are added to the latest entry, so that an attacker cannot push other entries out.
 */
const MAX_FAILURES = 50;

type Entry = Pick<RowOf<'history'>, 'userId' | 'type'> &
  Partial<Pick<RowOf<'history'>, 'actor' | 'method' | 'device' | 'address' | 'count'>>;

type Recorder = Pick<Work, 'db' | 'newRow' | 'now'>;

/** Returns the client of an action, as shown in an entry. */
export const clientOf = (from: Pick<From, 'device' | 'address'> | undefined) => ({
  device: deviceOf(from?.device),
  address: from?.address ?? null,
});

/**
 * Adds an entry to the history of an account. Actions of the person except signing up, and failed attempts to
 * act as them, are also added to the platform's audit log. Actions of admins and the operator have separate
 * entries in the audit log.
 */
export async function recordHistory({ db, newRow }: Recorder, entry: Entry): Promise<void> {
  const { userId, type, actor = 'person' } = entry;
  const made = newRow();
  await db.run(
    insert('history', {
      ...made,
      ...{ method: null, device: null, address: null, count: 1, actor },
      ...entry,
    }),
  );
  await db.run(
    q
      .deleteFrom('history')
      .where('userId', '=', userId)
      .where('id', '<', (eb) =>
        eb
          .selectFrom('history')
          .select('id')
          .where('userId', '=', userId)
          .orderBy('id', 'desc')
          .limit(1)
          .offset(MAX_ENTRIES - 1),
      ),
  );
  const words = auditWords[type];
  if (words === undefined || (actor !== 'person' && actor !== 'unknown')) return;
  const { id, createdAt: at } = newRow();
  await db.run(
    insert('audit', {
      ...{ id, at, command: `account ${words}`, account: '', about: { id: userId } },
      ...{ actorId: actor === 'person' ? userId : null, actor },
    }),
  );
}

/** The entry types for failed attempts. */
const failures = ['signInFailed', 'codeFailed', 'proofFailed'] as const;
export type Failure = (typeof failures)[number];

/** Counts failed attempts on an account: one entry per address and hour. */
export async function recordFailures(
  work: Recorder,
  entry: { userId: string; type: Failure; device: string | null; address: string | null; count: number },
): Promise<void> {
  const { db, now } = work;
  const { userId, type, address, count } = entry;
  const recent = q
    .selectFrom('history')
    .selectAll()
    .where('userId', '=', userId)
    .where('type', 'in', failures)
    .orderBy('id', 'desc');
  const same = recent
    .where('type', '=', type)
    .where('address', address === null ? 'is' : '=', address)
    .where('createdAt', '>', now - HOUR_MS);
  const today = recent.where('createdAt', '>', now - 24 * HOUR_MS).limit(MAX_FAILURES);
  let found = await db.first(same.limit(1));
  if (!found) {
    const all = await db.all(today);
    if (all.length >= MAX_FAILURES) found = all[0];
  }
  if (found) {
    const set = { count: found.count + count, updatedAt: Math.max(now, found.updatedAt + 1) };
    await db.run(update('history', found.id, set));
  } else await recordHistory(work, { ...entry, actor: 'unknown' });
}

/** The names of commands in the audit log. Sign-ups are omitted, because the list of users shows them. */
const auditWords: Readonly<Partial<Record<HistoryType, string>>> = {
  signedIn: 'sign in',
  signInFailed: 'sign-in failed',
  codeFailed: 'code failed',
  proofFailed: 'proof failed',
  signInBlocked: 'sign-in block',
  signedOut: 'sign out',
  sessionRevoked: 'session revoke',
  sessionsRevoked: 'sessions revoke',
  grantAdded: 'grant add',
  grantRevoked: 'grant revoke',
  passwordChanged: 'password change',
  passwordRemoved: 'password remove',
  passkeyAdded: 'passkey add',
  passkeyRemoved: 'passkey remove',
  emailAdded: 'email add',
  emailRemoved: 'email remove',
  secondFactorAdded: 'second factor add',
  secondFactorRemoved: 'second factor remove',
  recoveryCodesCreated: 'recovery codes create',
  dataExported: 'export',
  identityAdded: 'identity add',
  identityRemoved: 'identity remove',
};
