import { useState } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api } from '../../api/index.ts';
import { proof as t } from '../../strings/en/me.ts';
import { Button, Copy, ErrorText, Spinner } from '../../ui/index.ts';
import type { Myself } from './account.ts';
import { useEntrance } from './entrance.ts';
import { atProviders } from './identities.ts';
import { Providers } from './Providers.tsx';

/**
 * Shown to users who can't confirm their identity here, because they have neither a password nor a passkey
 * for this host: explains how to sign in again, or get a password.
 */
export function NoProof({ me: { username, email, hasPasskey } }: { me: Myself }) {
  const entrance = useEntrance();
  const own = useAsked('identities', atProviders);
  if (!entrance.data || !own.data)
    return (
      <>
        <ErrorText
          error={entrance.error ?? own.error}
          onAgain={entrance.error ? entrance.again : own.again}
        />
        {(entrance.isAsking || own.isAsking) && <Spinner />}
      </>
    );
  const { providers, sendsMails } = entrance.data;
  const connected = own.data.map(({ provider }) => provider ?? '');
  const lead = hasPasskey && <p>{t.passkeyElsewhere}</p>;
  if (providers.some(({ id }) => connected.includes(id)))
    return (
      <>
        {lead}
        <p>{hasPasskey ? t.orByProvider : t.byProvider}</p>
        <Providers to={location.pathname + location.search} only={connected} isProof />
      </>
    );
  return (
    <>
      {lead}
      <p>{hasPasskey ? t.orByPassword : t.byNothing}</p>
      {sendsMails && email !== null ? (
        <ByMail username={username} email={email} />
      ) : (
        <>
          <p>{t.byOperator}</p>
          <Copy text={`npx palaver user password --username ${username}`} isShown />
        </>
      )}
    </>
  );
}

/** Sends the user a link to set a password. The link signs them in again, which confirms their identity. */
function ByMail({ username, email }: { username: string; email: string }) {
  const [state, setState] = useState<'ready' | 'sending' | 'sent'>('ready');
  const [error, setError] = useState<unknown>();
  async function send(): Promise<void> {
    setState('sending');
    setError(undefined);
    try {
      await api('none').personPasswordReset({ name: username });
      setState('sent');
    } catch (reason) {
      setError(reason);
      setState('ready');
    }
  }
  if (state === 'sent') return <p role="status">{t.sent({ email })}</p>;
  return (
    <>
      <Button kind="main" icon="mail" isWide isPending={state === 'sending'} onClick={send}>
        {t.sendLink({ email })}
      </Button>
      <ErrorText error={error} />
    </>
  );
}
