import { useSyncExternalStore } from 'react';
import { api, onSignedOut, PalaverError, type Records } from '../../api/index.ts';
import { meAhead } from '../../replica/ahead.ts';

/** A person's own account. */
export type Myself = Records['Myself'];

/** Whether somebody is signed in in this browser. */
export type Account =
  | { state: 'asking' }
  /** The server did not answer. */
  | { state: 'unreachable' }
  | { state: 'out' }
  | { state: 'in'; me: Myself };

let account: Account = { state: 'asking' };
let lapsed = false;

/** True if the session has ended while the page was open, though nobody has signed out in it. */
export const hasLapsed = (): boolean => lapsed;
const listeners = new Set<() => void>();

const HINT = 'palaver-signed-in';

/**
 * True if somebody seems to be signed in: the server has got a cookie with the request for the page, or they were so when it was last
 * here. A guess, by which their part of the client is fetched ahead.
 */
export function wasSignedIn(): boolean {
  if (document.querySelector('#app[data-signed-in]')) return true;
  try {
    return localStorage.getItem(HINT) !== null;
  } catch {
    return false;
  }
}

/**
 * True if nobody is signed in: the server had no cookie of this browser, and nobody was when it was last here. Both, since a page that was
 * kept for times without a network may be older than a sign-in.
 */
function isSurelyOut(): boolean {
  if (!document.querySelector('#app[data-signed-out]')) return false;
  try {
    return localStorage.getItem(HINT) === null;
  } catch {
    return false;
  }
}

function keepHint({ state }: Account): void {
  try {
    if (state === 'in') localStorage.setItem(HINT, '1');
    else if (state === 'out') localStorage.removeItem(HINT);
  } catch {
    // Without it the page waits for the answer.
  }
}

function set(next: Account): void {
  lapsed ||= account.state === 'in' && next.state === 'out';
  account = next;
  keepHint(next);
  for (const listener of [...listeners]) listener();
}

/** Finds out at the start who is signed in. Asks the server, unless that would only be refused. */
export async function beginAccount(): Promise<void> {
  if (isSurelyOut()) return set({ state: 'out' });
  const me = await meAhead();
  if (me) set({ state: 'in', me });
  else await askAccount();
}

/** Asks who is signed in: after signing in, and when the server has not answered. */
export async function askAccount(): Promise<void> {
  try {
    set({ state: 'in', me: await api('none').personMe() });
  } catch (error) {
    const isOut = error instanceof PalaverError && error.status === 401;
    // Somebody who is signed in stays so while the server is away.
    if (isOut || account.state !== 'in') set({ state: isOut ? 'out' : 'unreachable' });
  }
}

/** Who is signed in at this moment. */
export const accountNow = (): Account => account;

/** Takes a changed account into use, as an answer has it. */
export function keepAccount(me: Partial<Myself>): void {
  if (account.state === 'in') set({ state: 'in', me: { ...account.me, ...me } });
}

/** Nobody is signed in here any more, by their own wish. */
export function leaveAccount(): void {
  set({ state: 'out' });
  lapsed = false;
}

onSignedOut(() => {
  if (account.state === 'in') set({ state: 'out' });
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The id of the person who is signed in; empty if nobody is. */
export const useUserId = (): string => {
  const now = useAccount();
  return now.state === 'in' ? now.me.id : '';
};

/** The present account; the component is drawn anew when it changes. */
export const useAccount = (): Account => useSyncExternalStore(subscribe, () => account);
