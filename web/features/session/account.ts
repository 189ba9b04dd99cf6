import { useSyncExternalStore } from 'react';
import { base } from '../../api/base.ts';
import { api, onSignedOut, PalaverError, type Records } from '../../api/index.ts';
import { meAhead } from '../../replica/ahead.ts';
import { endOnServer, hasLeft, isLeaving } from './leaving.ts';

export type Myself = Records['Myself'];

/** The sign-in state of this browser. */
export type Account =
  | { state: 'asking' }
  /** The server did not respond. */
  | { state: 'unreachable' }
  | { state: 'out' }
  | { state: 'in'; me: Myself };

let account: Account = { state: 'asking' };
let lapsed = false;

/**
 * True if the session expired or was revoked while the page was open, but not because the user signed out in
 * it.
 */
export const hasLapsed = (): boolean => lapsed;
const listeners = new Set<() => void>();

/** The prefix of the keys of all hints. Each installation on this host adds its own path. */
const HINTS = 'palaver-signed-in';
const HINT = HINTS + base;

/** Whether a `localStorage` key is a hint of an installation under another path on this host. */
export const isOtherHint = (key: string): boolean => key.startsWith(HINTS) && key !== HINT;

/**
 * True if a user seems to be signed in, because the page's request had a cookie, or the last visit had a
 * session. A guess, used to prefetch the client for signed-in users.
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
 * True if nobody is signed in: the page's request had no cookie, and the last visit had no session. Checks
 * both, because a page cached for offline use may be older than a sign-in.
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
    // If storage is blocked, the page waits for the response.
  }
}

function set(next: Account): void {
  lapsed ||= account.state === 'in' && next.state === 'out';
  account = next;
  keepHint(next);
  for (const listener of [...listeners]) listener();
}

/** Finds out at startup who is signed in. Skips the request if it would be rejected anyway. */
export async function beginAccount(): Promise<void> {
  if (isSurelyOut()) return set({ state: 'out' });
  if (isLeaving()) {
    set({ state: 'out' });
    return endOnServer();
  }
  const me = await meAhead();
  if (me) set({ state: 'in', me });
  else await askAccount();
}

/** Asks the server who is signed in, and updates the account. */
export async function askAccount(): Promise<void> {
  try {
    set({ state: 'in', me: await api('none').personMe() });
    hasLeft();
  } catch (error) {
    const isOut = error instanceof PalaverError && error.status === 401;
    // The user stays signed in while the server is unreachable.
    if (isOut || account.state !== 'in') set({ state: isOut ? 'out' : 'unreachable' });
  }
}

/** The current sign-in state. */
export const accountNow = (): Account => account;

/** Merges changes from a response into the account. */
export function keepAccount(me: Partial<Myself>): void {
  if (account.state === 'in') set({ state: 'in', me: { ...account.me, ...me } });
}

/** Marks the user as signed out, after they chose to sign out. */
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

/** The signed-in user's id. Empty if nobody is signed in. */
export const useUserId = (): string => {
  const now = useAccount();
  return now.state === 'in' ? now.me.id : '';
};

/** The current account; re-renders when it changes. */
export const useAccount = (): Account => useSyncExternalStore(subscribe, () => account);
