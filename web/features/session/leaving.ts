import { base } from '../../api/base.ts';
import { api, PalaverError } from '../../api/index.ts';

/** Prefix of the `localStorage` keys of every path at which Palaver runs on this host. */
export const LEAVING_KEYS = 'palaver-leaving';
/** The key that is set while a session that the user signed out of still has to be revoked. */
const LEAVING = LEAVING_KEYS + base;

/**
 * Whether the user signed out while the server was unreachable. The browser cannot delete the session's
 * cookie, so the session is revoked once the server responds, and is not used until then.
 */
export function isLeaving(): boolean {
  try {
    return localStorage.getItem(LEAVING) !== null;
  } catch {
    return false;
  }
}

/**
 * Forgets that a session still has to be revoked. Called once the server has revoked it, and after a user
 * signs in, which also revokes the browser's previous session.
 */
export function hasLeft(): void {
  try {
    localStorage.removeItem(LEAVING);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/**
 * Maximum time in ms to wait for the server, so users do not have to wait for retries before their data
 * is deleted.
 */
const LONGEST_MS = 3_000;

/**
 * Revokes this browser's session. If the server does not respond in time, retries continue, even on later
 * pages (`isLeaving`). Rejects only if storage is blocked, because a later page would then use the session
 * again.
 */
export async function endOnServer(): Promise<void> {
  const isKept = keepLeaving();
  const end = async () => {
    try {
      await api('none').personSignOut();
    } catch (error) {
      if (!(error instanceof PalaverError && error.status === 401)) return goOn(error);
    }
    hasLeft();
  };
  const goOn = (error: unknown) => {
    if (!isKept) throw error;
    addEventListener('online', () => isLeaving() && end(), { once: true });
  };
  const late = new Promise<void>((resolve) => isKept && setTimeout(resolve, LONGEST_MS));
  await Promise.race([end(), late]);
}

/** Returns false if storage is blocked. */
function keepLeaving(): boolean {
  try {
    localStorage.setItem(LEAVING, '1');
    return true;
  } catch {
    return false;
  }
}
