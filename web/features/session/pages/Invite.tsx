import { type ReactNode, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { navigate } from '../../../routes.ts';
import { session as t } from '../../../strings/en/session.ts';
import { Avatar, Button, ErrorText, Form, Spinner, WithName } from '../../../ui/index.ts';
import { askAccount, useAccount } from '../account.ts';
import { useEntrance } from '../entrance.ts';
import { withDestination } from '../place.ts';
import { isCode } from '../refusal.ts';
import { SignInForm } from '../SignInForm.tsx';
import { SignUpForm } from '../SignUpForm.tsx';
import { Gate } from './Gate.tsx';

type Shown = Records['LookedInvite'];

/** An invite to a server. Shows the server, and how to join it with or without an account. */
export function Invite({ inviteId }: { inviteId: string }) {
  const account = useAccount();
  const {
    data: invite,
    error,
    isAsking,
    again,
  } = useAsked(inviteId, () => api('none').inviteLook({ inviteId }));
  if (isCode(error, 'NOT_FOUND', 'INVALID_REQUEST'))
    return (
      <Gate title={t.invite.gone} lead={t.invite.goneMore} icon="ticket">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (!invite)
    return (
      <Gate title={t.invite.title} icon="ticket">
        <ErrorText error={error} onAgain={again} />
        {isAsking && <Spinner />}
      </Gate>
    );
  const { server } = invite;
  return (
    <Gate
      title={invite.isLive ? t.invite.to({ server: server.name }) : server.name}
      heading={
        invite.isLive ? (
          <WithName words={t.invite.to} values={{ server: server.name }} />
        ) : (
          <bdi>{server.name}</bdi>
        )
      }
      lead={
        <>
          <span className="gate-by">
            {invite.inviter && <WithName words={t.invite.by} values={{ name: invite.inviter.name }} />}
            {invite.inviter && ' · '}
            {t.invite.members({ count: server.memberCount })}
          </span>
          {server.description !== null && <bdi>{server.description}</bdi>}
        </>
      }
      picture={<Avatar id={server.id} name={server.name} src={server.icon} size={56} isServer />}
    >
      {account.state === 'in' ? (
        <Inside invite={invite} as={account.me.name} />
      ) : invite.isLive ? (
        <Enter invite={invite} />
      ) : (
        <Ended>
          <Link to={withDestination('signIn', location.pathname)}>{t.signIn.title}</Link>
        </Ended>
      )}
    </Gate>
  );
}

/** Shown if the invite is no longer valid, with links to other pages. */
const Ended = ({ children }: { children: ReactNode }) => (
  <>
    <p>{t.invite.ended}</p>
    {children}
  </>
);

interface InsideProps {
  invite: Shown;
  as: string;
}

/** Shown to users who are signed in. Members can open the server even if the invite is no longer valid. */
function Inside({ invite, as }: InsideProps) {
  const { id } = invite.server;
  const { data, error, isAsking, again } = useAsked(id, () => api(id).personMe());
  if (!data) return isAsking ? <Spinner /> : <ErrorText error={error} onAgain={again} />;
  if (data.serverId === id)
    return (
      <>
        <p>{t.invite.isMember}</p>
        <Button
          kind="main"
          isWide
          onClick={() => navigate({ page: 'server', serverId: id }, { replace: true })}
        >
          <WithName words={t.invite.open} values={{ server: invite.server.name }} />
        </Button>
      </>
    );
  if (invite.isLive) return <Join invite={invite} as={as} />;
  return (
    <Ended>
      <Link to={{ page: 'home' }}>{t.toServers}</Link>
    </Ended>
  );
}

/** Shown to users who are not members yet. */
function Join({ invite: { id, server }, as }: InsideProps) {
  const [isBanned, setBanned] = useState(false);
  if (isBanned)
    return (
      <>
        <p role="alert">{t.invite.banned}</p>
        <Link to={{ page: 'home' }}>{t.toServers}</Link>
      </>
    );
  return (
    <Form
      submit={<WithName words={t.invite.join} values={{ server: server.name }} />}
      isWide
      onSubmit={async () => {
        try {
          await api(server.id).serverMemberInsert({ inviteId: id });
        } catch (error) {
          // A valid invite is only forbidden for banned users.
          if (isCode(error, 'FORBIDDEN')) return setBanned(true);
          // The user became a member in the meantime.
          if (!isCode(error, 'ALREADY_EXISTS')) throw error;
        }
        navigate({ page: 'server', serverId: server.id }, { replace: true });
      }}
    >
      <p>
        <WithName words={t.invite.as} values={{ name: as }} />
      </p>
    </Form>
  );
}

/** Shown to visitors who are not signed in: sign up or sign in. */
function Enter({ invite: { id, server } }: { invite: Shown }) {
  const { data } = useEntrance();
  const [hasAccount, setHasAccount] = useState(false);
  if (!data) return <Spinner />;
  if (hasAccount || data.signUp === 'closed')
    return (
      <div className="stack">
        {data.signUp === 'closed' && <p>{t.signUp.how.closed}</p>}
        <SignInForm to={location.pathname} />
        {data.signUp !== 'closed' && (
          <Button kind="quiet" isWide onClick={() => setHasAccount(false)}>
            {t.invite.hasNone}
          </Button>
        )}
      </div>
    );
  return (
    <div className="stack">
      <SignUpForm
        inviteId={id}
        onDone={async () => {
          navigate({ page: 'server', serverId: server.id }, { replace: true });
          await askAccount();
        }}
      />
      <Button kind="quiet" isWide onClick={() => setHasAccount(true)}>
        {t.invite.hasAccount}
      </Button>
    </div>
  );
}
