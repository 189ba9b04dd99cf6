import { useEffect } from 'react';
import { useConnection, useSession } from '../../replica/hooks.ts';
import { late } from '../../ui/late.tsx';
import { statusDialog } from './dialog.ts';
import { watchIdle } from './idle.ts';
import { askOwn, ownPresence, saveOwn, takeOwn } from './own.ts';

const StatusDialog = late(() => import('./StatusDialog.tsx'), { hasField: true });

/** Follows one's own presence, and shows one as away where nothing was typed or touched for a while. Once in the page. */
export function PresenceLayer() {
  const session = useSession();
  const { isBooted, userId } = useConnection();
  const isOpen = statusDialog.use();
  useEffect(() => {
    if (!isBooted || userId === undefined) return;
    // Without an answer one shows as online, until the next change.
    askOwn().catch(() => undefined);
    const ends = [
      session.onEvent((event) => takeOwn(event, userId)),
      watchIdle({
        userId,
        status: () => ownPresence.get()?.status,
        save: (status) => void saveOwn({ status }).catch(() => undefined),
        onSign: (sign) =>
          session.onEvent((event) => {
            // What one reads and writes on another device: nobody is away there.
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
