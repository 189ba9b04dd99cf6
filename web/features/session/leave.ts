import { endSession } from '../../api/index.ts';
import { forget, KEPT, LAPSED } from '../../replica/forget.ts';
import { common } from '../../strings/en/common.ts';
import { session as t } from '../../strings/en/session.ts';
import { confirm } from '../../ui/index.ts';
import { APPEARANCE } from '../appearance/index.ts';
import { accountNow, isOtherHint, leaveAccount } from './account.ts';
import { endOnServer, LEAVING_KEYS } from './leaving.ts';

/**
 * Appearance settings are kept, because they reveal nothing about the user. Data of other users and of other
 * programs on this host is kept, too.
 */
const stays = (key: string): boolean =>
  key === APPEARANCE ||
  key.startsWith(KEPT) ||
  key.startsWith(LAPSED) ||
  key.startsWith(LEAVING_KEYS) ||
  !key.startsWith('palaver') ||
  isOtherHint(key);

let unsent = () => 0;

/**
 * Registers the function that counts the messages that would be lost by signing out. Returns a function
 * that unregisters it.
 */
export function countUnsent(count: () => number): () => void {
  unsent = count;
  return () => {
    if (unsent === count) unsent = () => 0;
  };
}

/**
 * Ends the session in this browser, and deletes the user's data there, even while the server is
 * unreachable. Asks first if messages would be lost.
 */
export async function signOut(): Promise<void> {
  const count = unsent();
  if (count === 0) return leave();
  confirm.ask({
    title: t.leave.title,
    text: t.leave.unsent({ count }),
    action: common.signOut,
    isDanger: true,
    onConfirm: leave,
  });
}

async function leave(): Promise<void> {
  const account = accountNow();
  await endOnServer();
  leaveAccount();
  endSession();
  if (account.state === 'in') await forget(account.me.id);
  // By now, none of the user's data is rendered, and nothing is written any more.
  for (const storageOf of [() => localStorage, () => sessionStorage]) {
    try {
      const storage = storageOf();
      for (const key of Object.keys(storage)) if (!stays(key)) storage.removeItem(key);
    } catch {
      // Storage is blocked.
    }
  }
}
