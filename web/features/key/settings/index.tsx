import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { Closed, Create, FoundRows, Page, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { namesIn } from '../../settings/server/index.ts';
import { useSecrets } from '../useSecrets.ts';
import { KeyRow } from './KeyRow.tsx';
import { KeyShown } from './KeyShown.tsx';
import { NewKey } from './NewKey.tsx';
import { Rotate } from './Rotate.tsx';

export default function Keys({ serverId }: SectionProps) {
  const may = useMay(serverId, 'secret insert');
  const { pages, rows } = useSecrets(serverId, may.allowed);
  const keys = rows.filter(({ kind }) => kind === 'apiKey');
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
      action={may.allowed && <Create label={t.create} onClick={() => setNew(true)} />}
    >
      <Closed permission={may} what={t.closed} />
      {may.allowed && (
        <FoundRows
          label={t.title}
          found={found}
          pages={pages}
          empty={{ icon: 'key-round', title: t.none, text: t.noneMore }}
        >
          {(secret) => <KeyRow key={secret.id} secret={secret} onRotate={() => setRotating(secret)} />}
        </FoundRows>
      )}
      {isNew && <NewKey serverId={serverId} onMade={show} onClose={() => setNew(false)} />}
      {rotating && <Rotate secret={rotating} onMade={show} onClose={() => setRotating(undefined)} />}
      {shown && <KeyShown secret={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}
