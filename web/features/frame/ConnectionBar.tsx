import { useEffect, useState } from 'react';
import { useActions, useConnection } from '../../replica/hooks.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Button } from '../../ui/index.ts';
import './ConnectionBar.css';

/** Grace period in ms before a lost connection is shown, because most connections come back at once. */
const PATIENCE = 2000;

/** Shows that the client is offline. Messages sent in the meantime are queued. */
export function ConnectionBar() {
  const { status, nextAt } = useConnection();
  const { reconnect } = useActions();
  const isLost = status === 'offline' || status === 'connecting';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setShown(false);
    const timer = setTimeout(() => setShown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div className="connection-bar" role="status" hidden={!isShown}>
      {isShown && (
        <>
          <span>{status === 'offline' || !navigator.onLine ? t.offline : t.connecting}</span>
          {nextAt !== null && (
            <Button size="small" kind="quiet" onClick={() => reconnect()}>
              {t.now}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
