import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/index.ts';
import { proof as t } from '../../strings/en/me.ts';
import { session } from '../../strings/en/session.ts';
import { Button, Dialog, ErrorText, Form, TextField } from '../../ui/index.ts';
import { keepAccount, type Myself } from './account.ts';
import { CodeField } from './CodeField.tsx';
import { NoProof } from './NoProof.tsx';
import { hasPasskeys, passkeyAnswer } from './passkey.ts';
import './session.css';

interface ProofDialogProps {
  me: Myself;
  onEnd: (isProven: boolean) => void;
}

/** Confirms the user's identity with a password or passkey. If they have neither, explains what to do. */
export default function ProofDialog({ me, onEnd }: ProofDialogProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);
  const canUsePasskey = me.hasPasskey && hasPasskeys();

  async function proveByPasskey(): Promise<void> {
    setError(undefined);
    setBusy(true);
    try {
      const options = await api('none').personProofOptions();
      const passkey = await passkeyAnswer(options, { signal: leaving.current.signal });
      keepAccount(await api('none').personProve({ passkey }));
      onEnd(true);
    } catch (reason) {
      setError(reason);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={t.title} size="s" isFirm onClose={() => onEnd(false)}>
      <div className="stack">
        <p>{t.why}</p>
        {canUsePasskey && (
          <Button
            kind={me.hasPassword ? 'plain' : 'main'}
            icon="fingerprint"
            isWide
            isPending={isBusy}
            onClick={proveByPasskey}
          >
            {t.byPasskey}
          </Button>
        )}
        <ErrorText error={error} />
        {canUsePasskey && me.hasPassword && <p className="small muted session-or">{session.or}</p>}
        {me.hasPassword && (
          <Form
            submit={t.confirm}
            onCancel={() => onEnd(false)}
            onSubmit={async (values) => {
              keepAccount(
                await api('none').personProve({
                  password: values.text('password'),
                  ...(me.hasSecondFactor && { code: values.text('code') }),
                }),
              );
              onEnd(true);
            }}
          >
            {/* Tells password managers which account the password belongs to. */}
            <input hidden readOnly type="text" autoComplete="username" value={me.username} />
            <TextField
              label={session.password}
              name="password"
              type="password"
              autoComplete="current-password"
              autoFocus
              required
            />
            {me.hasSecondFactor && <CodeField isFirst={false} />}
          </Form>
        )}
        {!canUsePasskey && !me.hasPassword && <NoProof me={me} />}
      </div>
    </Dialog>
  );
}
