import { base } from '../../api/base.ts';
import { api, PalaverError } from '../../api/index.ts';

/** The start of the `localStorage` keys of all paths under which Palaver runs on this host. */
export const LEAVING_KEYS = 'palaver-leaving';
/** The key that is set while a session that the user has left still has to be ended. */
const LEAVING = LEAVING_KEYS + base;

/**
 * Whether the user has signed out while the server was unreachable. The browser cannot delete the session's
 * cookie, so the session is ended once the server responds, and is not used until then.
 */
export function isLeaving(): boolean {
  try {
    return localStorage.getItem(LEAVING) !== null;
  } catch {
    return false;
  }
}

/** Called after somebody has signed in, which has ended the browser's former session. */
export function hasLeft(): void {
  try {
    localStorage.removeItem(LEAVING);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/** Longest wait for the server in ms: nobody should wait for the retries before their data is deleted. */
const LONGEST_MS = 3_000;

/**
 * Ends this browser's session. If the server does not respond in time, the attempts continue, also in
 * later pages (`isLeaving`). Rejects only if storage is blocked, because a later page would then use the
 * session again.
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
