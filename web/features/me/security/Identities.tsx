import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { ago } from '../../../strings/format.ts';
import { Button, Confirm, ErrorText, Icon, toast, WithName } from '../../../ui/index.ts';
import { atProviders, useEntrance, withProof } from '../../session/index.ts';
import { Group, Row, Rows } from '../../settings/index.ts';

type Identity = Records['Identity'];

/** Linked accounts at sign-in providers. Renders nothing if there are neither providers nor linked accounts. */
export function Identities() {
  const entrance = useEntrance();
  const { data, error, again } = useAsked('identities', atProviders);
  const [removed, setRemoved] = useState<Identity>();
  const providers = entrance.data?.providers ?? [];
  if (providers.length === 0 && !data?.length) return null;
  const free = providers.filter(({ id }) => !data?.some(({ provider }) => provider === id));

  return (
    <Group title={t.identities.title} lead={t.identities.lead}>
      <ErrorText error={error} onAgain={again} />
      <Rows label={t.identities.title}>
        {data?.map((one) => (
          <Row
            key={one.id}
            mark={<Icon name="link" size={22} />}
            title={one.name}
            note={t.identities.since({ when: ago(one.createdAt) })}
            actions={
              <Button size="small" onClick={() => setRemoved(one)}>
                {t.identities.disconnect}
              </Button>
            }
          />
        ))}
        {free.map(({ id, name }) => (
          <FreeRow key={id} id={id} name={name} />
        ))}
      </Rows>
      {removed && (
        <Confirm
          title={<WithName words={t.identities.asked} values={{ name: removed.name }} />}
          text={t.identities.askedMore}
          action={t.identities.disconnect}
          isDanger
          onConfirm={async () => {
            await withProof(() => api('none').personIdentityDelete({ id: removed.id }));
            await again();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Group>
  );
}

/** A provider that is not linked yet. */
function FreeRow({ id, name }: { id: string; name: string }) {
  const [isGoing, setGoing] = useState(false);
  async function connect(): Promise<void> {
    setGoing(true);
    try {
      const returnTo = location.pathname;
      const { url } = await withProof(() => api('none').personProviderConnect({ id, returnTo }));
      location.assign(url);
    } catch (reason) {
      toast.error(reason);
      setGoing(false);
    }
  }
  return (
    <Row
      mark={<Icon name="link" size={22} />}
      title={name}
      note={t.identities.notYet}
      actions={
        <Button size="small" isPending={isGoing} onClick={connect}>
          {t.identities.connect}
        </Button>
      }
    />
  );
}
