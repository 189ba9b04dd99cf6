import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { inviteSettings as t } from '../../../strings/en/moderation.ts';
import { Closed, Create, FoundRows, Page, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { namesIn, useServerList } from '../../settings/server/index.ts';
import { InviteDialog } from '../index.tsx';
import { Invitations } from './Invitations.tsx';
import { InviteRow } from './InviteRow.tsx';

export default function Invites({ serverId }: SectionProps) {
  const may = useMay(serverId, 'invite insert');
  const mayRevoke = useMay(serverId, 'invite delete');
  const { pages, rows } = useServerList('invite', serverId, (cursor) =>
    api(serverId).invitesByServer({ serverId, cursor, limit: 100, expand: 'creator' }),
  );
  const nameOf = namesIn(pages.pages);
  const textsOf = ({ id, code, creatorId }: Records['Invite']) => [code ?? id, ...nameOf(creatorId)];
  const found = useFind(t.find, rows, textsOf, { pages });
  const [open, setOpen] = useState<'new' | Records['Invite']>();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setOpen('new')} />}
    >
      <Closed permission={may} what={t.closed} />
      {may.allowed && <Closed permission={mayRevoke} what={t.othersClosed} />}
      <FoundRows
        label={t.title}
        found={found}
        pages={pages}
        empty={{ icon: 'ticket', title: t.none, text: t.noneMore }}
      >
        {(invite) => <InviteRow key={invite.id} invite={invite} onShow={() => setOpen(invite)} />}
      </FoundRows>
      <Invitations serverId={serverId} />
      {open && (
        <InviteDialog
          serverId={serverId}
          {...(open !== 'new' && { invite: open })}
          isInList
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  );
}
