import { useState } from 'react';
import { api, PalaverError, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { useMay } from '../../../may/index.ts';
import { invitationSettings as t } from '../../../strings/en/moderation.ts';
import { ago } from '../../../strings/format.ts';
import { Avatar, Button, ErrorText, Form, TextField, toast, WithName } from '../../../ui/index.ts';
import { Facts, Group, Row, Rows } from '../../settings/index.ts';
import { Ask, Who } from '../../settings/server/index.ts';

type Sent = Records['SentInvitation'];

/** Invites a person by username, and lists the server's invitations. For admins and moderators. */
export function Invitations({ serverId }: { serverId: string }) {
  const may = useMay(serverId, 'invitation insert');
  const [withdrawn, setWithdrawn] = useState<Sent>();
  const [made, setMade] = useState(0);
  // The rows stay until the list is reloaded after an invitation.
  const pages = usePages(
    [serverId, may.allowed, made].join(' '),
    async (cursor) =>
      may.allowed
        ? api(serverId).invitationsByServer({ serverId, cursor })
        : Object.assign([], { nextCursor: null }),
    { isSearch: true },
  );
  if (!may.allowed) return null;
  const { rows: sent = [], error, more } = pages;
  return (
    <Group title={t.title} lead={t.lead}>
      <Form
        key={made}
        submit={t.invite}
        onSubmit={async (values) => {
          const username = values.text('username').trim();
          try {
            await api(serverId).invitationInsert({ serverId, username });
          } catch (failed) {
            const isKnown = failed instanceof PalaverError && failed.code === 'ALREADY_EXISTS';
            throw isKnown ? new Error(t.already) : failed;
          }
          toast.show(t.invited({ username: username.replace(/^@/, '') }));
          setMade(made + 1);
        }}
      >
        <TextField label={t.username} name="username" autoComplete="off" spellCheck={false} required />
      </Form>
      {sent.length > 0 && (
        <Rows label={t.title} pages={{ ...pages, isReading: pages.isAsking && pages.hasMore }}>
          {sent.map((one) => (
            <InvitationRow key={one.id} invitation={one} onWithdraw={() => setWithdrawn(one)} />
          ))}
        </Rows>
      )}
      {sent.length === 0 && error !== undefined && <ErrorText error={error} onAgain={more} />}
      {withdrawn && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} values={{ name: withdrawn.user.name }} />}
          text={t.askMore}
          action={t.withdraw}
          isDanger
          onConfirm={async () => {
            await api(serverId).invitationDelete({ id: withdrawn.id });
            pages.put(withdrawn.id, undefined);
          }}
          done={t.withdrawn}
          onClose={() => setWithdrawn(undefined)}
        />
      )}
    </Group>
  );
}

function InvitationRow({ invitation, onWithdraw }: { invitation: Sent; onWithdraw: () => void }) {
  const { user, userId, creatorId, serverId, expiresAt } = invitation;
  return (
    <Row
      mark={<Avatar id={userId} name={user.name} src={user.image} />}
      title={user.name}
      note={
        <Facts
          of={[
            `@${user.username}`,
            t.expires({ when: ago(expiresAt) }),
            <span key="by">
              {t.by} <Who serverId={serverId} userId={creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <Button size="small" aria-label={t.withdrawFrom({ name: user.name })} onClick={onWithdraw}>
          {t.withdraw}
        </Button>
      }
    />
  );
}
