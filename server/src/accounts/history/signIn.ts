import type { SignInMethod } from '../../db/tables/history.ts';
import type { WriteCall } from '../../operations/call.ts';
import { knownBrowser } from '../../operations/knownBrowsers.ts';
import { personActor } from '../../operations/work.ts';
import { passwordOf } from '../account.ts';
import { notifyOfSignIn } from '../notices.ts';
import { addSession } from '../session.ts';
import { clientOf, recordHistory } from './record.ts';

interface SignIn {
  userId: string;
  method: SignInMethod;
  /** Whether the account was created by this sign-in. */
  isNew?: boolean;
  /** Whether the person has signed in from the browser before; looked up if omitted. */
  isKnown?: boolean;
  /** See `addSession`. */
  provenAt?: number;
}

/**
 * Signs a person in from the browser that sent the request: starts a session, records it in their history,
 * and emails them if they have not signed in from that browser before. Sends no email to a new account or
 * after a sign-in with a link. Returns the session's token. Throws UNAUTHORIZED if they are suspended.
 */
export async function signIn(
  work: WriteCall,
  { userId, method, isNew = false, isKnown, provenAt }: SignIn,
): Promise<string> {
  const { from } = work;
  work.actAs(personActor(userId));
  const proven = provenAt === undefined ? {} : { provenAt };
  const { token } = await addSession(work, { userId, device: from?.device ?? null, ...proven });
  const client = clientOf(from);
  await recordHistory(work, { userId, type: isNew ? 'signedUp' : 'signedIn', method, ...client });
  // Signing in with a link sets a new password, and the email about that is enough.
  if (isNew || method === 'link' || (isKnown ?? (await knowsBrowser(work, userId)))) return token;
  await notifyOfSignIn(work, userId, client);
  return token;
}

async function knowsBrowser(work: WriteCall, userId: string): Promise<boolean> {
  const password = (await passwordOf(work, userId))?.password ?? null;
  const { peopleKey } = work.services;
  return knownBrowser(peopleKey, work.from?.known, { userId, password }) !== undefined;
}
