import { useState } from 'react';
import { api } from '../../api/index.ts';
import { session as t } from '../../strings/en/session.ts';
import { Button, ErrorText } from '../../ui/index.ts';
import { useEntrance } from './entrance.ts';

/** A button for each provider with which people sign in. The browser goes there, and comes back to `to` signed in. */
export function Providers({ to }: { to: string }) {
  const { data } = useEntrance();
  const [going, setGoing] = useState<string>();
  const [error, setError] = useState<unknown>();
  if (!data || data.providers.length === 0) return null;

  async function leaveFor(id: string): Promise<void> {
    setGoing(id);
    setError(undefined);
    try {
      const { url } = await api('none').personProviderStart({ id, returnTo: to });
      location.assign(url);
    } catch (reason) {
      setError(reason);
      setGoing(undefined);
    }
  }

  return (
    <>
      {data.providers.map(({ id, name }) => (
        <Button key={id} icon="log-in" isWide isPending={going === id} onClick={() => leaveFor(id)}>
          {t.signInWith(name)}
        </Button>
      ))}
      <ErrorText error={error} />
    </>
  );
}
