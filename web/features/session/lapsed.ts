import { forget, KEPT, LAPSED } from '../../replica/forget.ts';
import { accountNow } from './account.ts';

/**
 * How long drafts and unsent messages stay in the browser, in ms, after a session has ended other than by signing out:
 * it expired, was revoked, or somebody else signed in. Signing in again restores them.
 */
const KEPT_MS = 60 * 60_000;

/** Deletes the data of users who have not been signed in here for an hour. `present` is the signed-in user. */
function forgetLapsed(present: string | undefined): void {
  try {
    if (present !== undefined) localStorage.removeItem(LAPSED + present);
    for (const key of Object.keys(localStorage)) {
      const person = key.slice(KEPT.length);
      if (!key.startsWith(KEPT) || person === present) continue;
      const since = Number(localStorage.getItem(LAPSED + person) ?? Number.NaN);
      const ms = Date.now() - since;
      // The period also starts again if the clock was set back.
      if (!(ms >= 0)) localStorage.setItem(LAPSED + person, String(Date.now()));
      else if (ms >= KEPT_MS) void forget(person);
    }
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

function look(): void {
  const now = accountNow();
  if (now.state === 'in') forgetLapsed(now.me.id);
  else if (now.state === 'out') forgetLapsed(undefined);
}

look();
setInterval(look, 60_000);
