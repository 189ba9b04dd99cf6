import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Button, Confirm, toast } from '../../../ui/index.ts';

interface SignOutOthersProps {
  /** The number of other sessions, if it is known. */
  count?: number;
  onDone?: () => void;
}

/** A button that revokes all of the user's other sessions, after a confirmation. */
export function SignOutOthers({ count, onDone }: SignOutOthersProps) {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button icon="log-out" onClick={() => setAsked(true)}>
        {t.sessions.endOthers}
      </Button>
      {isAsked && (
        <Confirm
          title={t.sessions.endOthers}
          text={count === undefined ? t.sessions.endAll : t.sessions.endOthersMore({ count })}
          action={t.sessions.endOthers}
          isDanger
          onConfirm={async () => {
            await api('none').sessionsDeleteOthers();
            toast.show(t.sessions.ended, { kind: 'good' });
            onDone?.();
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
