import { useSyncExternalStore } from 'react';
import { api, onSignedOut, PalaverError, type Records } from '../../api/index.ts';
import { meAhead } from '../../replica/ahead.ts';

/** The signed-in user's account. */
export type Myself = Records['Myself'];

/** The sign-in state of this browser. */
export type Account =
  | { state: 'asking' }
  /** The server did not answer. */
  | { state: 'unreachable' }
  | { state: 'out' }
  | { state: 'in'; me: Myself };

let account: Account = { state: 'asking' };
let lapsed = false;

/** True if the session ended while the page was open, without signing out in it. */
export const hasLapsed = (): boolean => lapsed;
const listeners = new Set<() => void>();

const HINT = 'palaver-signed-in';

/**
 * True if a user seems to be signed in: the page's request had a cookie, or the last visit did. A guess, to prefetch their part of the
 * client.
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
 * True if nobody is signed in: the page's request had no cookie, and the last visit had no session. Checks both, because a page cached
 * for offline use may be older than a sign-in.
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
    // Without storage, the page waits for the answer.
  }
}

function set(next: Account): void {
  lapsed ||= account.state === 'in' && next.state === 'out';
  account = next;
  keepHint(next);
  for (const listener of [...listeners]) listener();
}

/** Finds out at startup who is signed in. Skips the request if it would be refused. */
export async function beginAccount(): Promise<void> {
  if (isSurelyOut()) return set({ state: 'out' });
  const me = await meAhead();
  if (me) set({ state: 'in', me });
  else await askAccount();
}

/** Loads who is signed in: after signing in, and when the server did not answer. */
export async function askAccount(): Promise<void> {
  try {
    set({ state: 'in', me: await api('none').personMe() });
  } catch (error) {
    const isOut = error instanceof PalaverError && error.status === 401;
    // A signed-in user stays so while the server is unreachable.
    if (isOut || account.state !== 'in') set({ state: isOut ? 'out' : 'unreachable' });
  }
}

/** The current sign-in state. */
export const accountNow = (): Account => account;

/** Merges an answer's changes into the account. */
export function keepAccount(me: Partial<Myself>): void {
  if (account.state === 'in') set({ state: 'in', me: { ...account.me, ...me } });
}

/** Marks the user as signed out, by their own choice. */
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

/** The signed-in user's id; empty if nobody is. */
export const useUserId = (): string => {
  const now = useAccount();
  return now.state === 'in' ? now.me.id : '';
};

/** The current account; re-renders when it changes. */
export const useAccount = (): Account => useSyncExternalStore(subscribe, () => account);
