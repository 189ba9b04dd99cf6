import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { inviteSettings as t } from '../../../strings/en/inviteSettings.ts';
import { Button } from '../../../ui/index.ts';
import { Closed, nothingFound, Page, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { byNewest, namesIn, usePages } from '../../settings/server/index.ts';
import { InviteDialog } from '../index.tsx';
import { InviteRow } from './InviteRow.tsx';

/** The invites of a server: links by which people join. */
export default function Invites({ serverId }: SectionProps) {
  const may = useMay(serverId, 'invite insert');
  const mayRevoke = useMay(serverId, 'invite delete');
  const pages = usePages(
    serverId,
    (cursor) => api(serverId).invitesByServer({ serverId, cursor, limit: 100, expand: 'creator' }),
    (page) => ({ invite: page, user: Object.values(page.expanded?.users ?? {}) }),
  );
  const invites = useRows('invite', 'serverId', serverId).toSorted(byNewest);
  const nameOf = namesIn(pages.pages);
  const textsOf = ({ id, creatorId }: Records['Invite']) => [id, ...nameOf(creatorId)];
  const found = useFind(t.find, invites, textsOf, { pages });
  const [open, setOpen] = useState<'new' | Records['Invite']>();
  const create = may.allowed && (
    <Button kind="main" icon="plus" onClick={() => setOpen('new')}>
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} action={create}>
      <Closed permission={may} what={t.closed} />
      {may.allowed && <Closed permission={mayRevoke} what={t.othersClosed} />}
      {found.field}
      <Rows
        label={t.title}
        pages={pages}
        rest={found.rest}
        count={found.rows.length}
        empty={found.isSearched ? nothingFound() : { icon: 'ticket', title: t.none, text: t.noneMore }}
      >
        {found.rows.map((invite) => (
          <InviteRow key={invite.id} invite={invite} onShow={() => setOpen(invite)} />
        ))}
      </Rows>
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
