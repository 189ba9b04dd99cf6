import { useEffect } from 'react';
import { useConnection, useSession } from '../../replica/hooks.ts';
import { late } from '../../ui/late.tsx';
import { statusDialog } from './dialog.ts';
import { watchIdle } from './idle.ts';
import { askOwn, ownPresence, saveOwn, takeOwn } from './own.ts';

const StatusDialog = late(() => import('./StatusDialog.tsx'), { hasField: true });

/**
 * Keeps the user's own presence up to date, and sets it to away when they are idle. Rendered once per page.
 */
export function PresenceLayer() {
  const session = useSession();
  const { isBooted, userId } = useConnection();
  const isOpen = statusDialog.use();
  useEffect(() => {
    if (!isBooted || userId === undefined) return;
    // If this fails, the user appears as online until the next change.
    askOwn().catch(() => undefined);
    const ends = [
      session.onEvent((event) => takeOwn(event, userId)),
      watchIdle({
        userId,
        status: () => ownPresence.get()?.status,
        save: (status) => void saveOwn({ status }).catch(() => undefined),
        onSign: (sign) =>
          session.onEvent((event) => {
            // Reading or writing on another device is also activity.
            if (/^(mark|draft)\./.test(event.type)) sign();
          }),
      }),
    ];
    return () => {
      for (const end of ends) end();
      ownPresence.set(undefined);
      statusDialog.set(false);
    };
  }, [session, isBooted, userId]);
  return isOpen ? <StatusDialog onClose={() => statusDialog.set(false)} /> : null;
}
