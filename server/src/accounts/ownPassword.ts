import { unauthenticated } from '../access/authenticator.ts';
import { conditions, requireCondition } from '../access/conditions.ts';
import { remove } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { type ActCall, act } from '../operations/act.ts';
import { provenAtOf, requireProven, sessionOf } from '../operations/call.ts';
import { body, flag, optional } from '../operations/fields.ts';
import { passwordOf, putAccount } from './account.ts';
import { countAttempt } from './attempts.ts';
import { newPassword, password } from './fields.ts';
import { noteSessionGuess } from './guesses.ts';
import { notify } from './notices.ts';
import { hashPassword, isPassword, requireStrong } from './password.ts';
import { person, personOf } from './personRecord.ts';
import { addSession } from './session.ts';
import { hasWayIn } from './ways.ts';

/**
 * Verifies the signed-in person's password. Throws UNAUTHORIZED if it is wrong, RATE_LIMITED after too many
 * attempts.
 */
export async function provePassword(call: ActCall, given: string): Promise<void> {
  const { userId } = call.principal;
  await countAttempt(call, 'user', userId);
  const identity = await passwordOf(call, userId);
  if (!(await isPassword(call.address, given, identity?.password))) {
    call.services.failedAttempts.note(userId, 'proofFailed', call);
    await noteWrong(call);
    throw unauthenticated('UNAUTHORIZED', 'the password is wrong');
  }
}

/** Counts a wrong password or code in the session that it was entered in. */
export async function noteWrong(call: ActCall): Promise<void> {
  const { userId } = call.principal;
  const id = sessionOf(call)?.id;
  if (id !== undefined) await call.writeOnAccount(userId, (work) => noteSessionGuess(work, userId, id));
}

export const passwordOperations = [
  act({
    operation: 'personPassword',
    people: true,
    method: 'POST',
    path: '/password',
    resource: 'person',
    verb: 'update',
    summary: 'Change your password',
    description:
      'Revokes all your other sessions. A browser gets the cookie of a new session; an app keeps its session. To add a password to an account without one, or if you use two-factor authentication, confirm your identity first.',
    body: body({
      password: optional(password),
      newPassword,
      revokeGrants: optional(
        flag('Also revokes the access of all apps that may act on your behalf in a server'),
      ),
    }),
    answer: person,
    async run(call, { body }) {
      const { principal, device, isBearer } = call;
      const { userId } = principal;
      const known = await personOf(call.db, userId, call.now);
      await requireStrong('newPassword', body.newPassword, known.username, known.name, known.email);
      // Otherwise, a stolen session and password would bypass two-factor authentication.
      if (!known.hasPassword || known.hasSecondFactor) requireProven(call);
      if (known.hasPassword) {
        if (body.password === undefined) throw invalid('missing', 'password', 'is required');
        await provePassword(call, body.password);
      }
      const hash = await hashPassword(call.address, body.newPassword);
      const token = await call.writeOnAccount(userId, async (work) => {
        const keptSessionId = isBearer ? sessionOf(call)?.id : undefined;
        const keepsGrants = body.revokeGrants !== true;
        await putAccount(work, { userId, hash, email: null, keptSessionId, keepsGrants });
        await notify(work, userId, 'password');
        return isBearer ? undefined : (await addSession(work, { userId, device })).token;
      });
      const provenAt = isBearer ? provenAtOf(call) : call.now;
      return { data: { ...known, hasPassword: true, provenAt }, ...(token !== undefined && { token }) };
    },
  }),

  act({
    operation: 'personPasswordDelete',
    people: true,
    method: 'DELETE',
    path: '/password',
    resource: 'person',
    verb: 'update',
    summary: 'Remove your password',
    description:
      'Afterwards, you sign in with a passkey or a linked provider account. Without a provider account, you need two passkeys, or one that is backed up. Your sessions stay signed in.',
    answer: person,
    proven: true,
    async run(call) {
      const { principal } = call;
      const { userId } = principal;
      await call.writeOnAccount(userId, async (work) => {
        const { db } = work;
        const identity = await passwordOf(work, userId);
        if (!identity) throw notFound('password');
        await db.run(remove('identity', { id: identity.id }));
        requireCondition(principal, conditions.wayIn, {
          hasWayIn: await hasWayIn(db, call, userId),
        });
        await notify(work, userId, 'passwordRemoved');
      });
      return { data: await personOf(call.db, userId, provenAtOf(call)) };
    },
  }),
];
