import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { keySettings as t } from '../../../strings/en/keySettings.ts';
import { Button } from '../../../ui/index.ts';
import { Page, Rows } from '../../settings/index.ts';
import { byNewest } from '../parts/byNewest.ts';
import { Closed } from '../parts/Closed.tsx';
import type { SectionProps } from '../parts/sectionProps.ts';
import { useSecrets } from '../parts/useSecrets.ts';
import { KeyRow } from './KeyRow.tsx';
import { KeyShown } from './KeyShown.tsx';
import { NewKey } from './NewKey.tsx';
import { Rotate } from './Rotate.tsx';

/** The API keys of a server: what programs sign in with. */
export default function Keys({ serverId }: SectionProps) {
  const may = useMay(serverId, 'secret insert');
  const pages = useSecrets(serverId, may.allowed);
  const all = useRows('secret', 'serverId', serverId);
  const keys = all.filter(({ kind }) => kind === 'apiKey').toSorted(byNewest);
  const [isNew, setNew] = useState(false);
  const [rotating, setRotating] = useState<Records['Secret']>();
  const [shown, setShown] = useState<Records['NewSecret']>();

  function show(secret: Records['NewSecret']): void {
    setNew(false);
    setRotating(undefined);
    setShown(secret);
  }

  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={
        may.allowed && (
          <Button kind="main" icon="plus" onClick={() => setNew(true)}>
            {t.create}
          </Button>
        )
      }
    >
      <Closed permission={may} what={t.closed} />
      {may.allowed && (
        <Rows
          label={t.title}
          pages={pages}
          count={keys.length}
          empty={{ icon: 'key-round', title: t.none, text: t.noneMore }}
        >
          {keys.map((secret) => (
            <KeyRow key={secret.id} secret={secret} onRotate={() => setRotating(secret)} />
          ))}
        </Rows>
      )}
      {isNew && <NewKey serverId={serverId} onMade={show} onClose={() => setNew(false)} />}
      {rotating && <Rotate secret={rotating} onMade={show} onClose={() => setRotating(undefined)} />}
      {shown && <KeyShown secret={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
