import { useState } from 'react';
import { api } from '../../api/index.ts';
import { session as t } from '../../strings/en/session.ts';
import { Button, ErrorText } from '../../ui/index.ts';
import { useEntrance } from './entrance.ts';

interface ProvidersProps {
  to: string;
  only?: readonly string[];
  isProof?: boolean;
}

/**
 * A button for each sign-in provider, or only for those in `only`. Clicking one leaves the page; the user
 * returns to `to`, signed in. With `isProof`, the provider authenticates the user again.
 */
export function Providers({ to, only, isProof }: ProvidersProps) {
  const { data } = useEntrance();
  const [going, setGoing] = useState<string>();
  const [error, setError] = useState<unknown>();
  const shown = data?.providers.filter(({ id }) => only?.includes(id) ?? true) ?? [];
  if (shown.length === 0) return null;

  async function leaveFor(id: string): Promise<void> {
    setGoing(id);
    setError(undefined);
    try {
      const { url } = await api('none').personProviderStart({
        id,
        returnTo: to,
        ...(isProof && { prove: true }),
      });
      location.assign(url);
    } catch (reason) {
      setError(reason);
      setGoing(undefined);
    }
  }

  return (
    <>
      {shown.map(({ id, name }) => (
        <Button key={id} icon="log-in" isWide isPending={going === id} onClick={() => leaveFor(id)}>
          {t.signInWith({ provider: name })}
        </Button>
      ))}
      <ErrorText error={error} />
    </>
  );
}
