import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { keySettings as t } from '../../../strings/en/keySettings.ts';
import { Button } from '../../../ui/index.ts';
import { Closed, nothingFound, Page, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { byNewest, namesIn } from '../../settings/server/index.ts';
import { useSecrets } from '../useSecrets.ts';
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
  const nameOf = namesIn(pages.pages);
  const textsOf = ({ name, preview, userId }: Records['Secret']) => [name, preview, ...nameOf(userId)];
  const found = useFind(t.find, keys, textsOf, { pages });
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
      {may.allowed && found.field}
      {may.allowed && (
        <Rows
          label={t.title}
          pages={pages}
          rest={found.rest}
          count={found.rows.length}
          empty={found.isSearched ? nothingFound() : { icon: 'key-round', title: t.none, text: t.noneMore }}
        >
          {found.rows.map((secret) => (
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
