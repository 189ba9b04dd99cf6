import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { pathOf } from '../../../routes.ts';
import { links as l } from '../../../strings/en/account.ts';
import { session as t } from '../../../strings/en/session.ts';
import { list } from '../../../strings/format.ts';
import { Avatar, Button, Form, Spinner, WithName } from '../../../ui/index.ts';
import { type Myself, useAccount } from '../account.ts';
import { clearArrival } from '../arrival.ts';
import { keepLink, takeLink } from '../keptLink.ts';
import { isCode, Refusal } from '../refusal.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Gate } from './Gate.tsx';
import { SetPassword } from './SetPassword.tsx';

interface ClaimUserProps {
  token: string;
  link: Records['Link'];
  /** Called if the link stopped working. */
  onGone: () => void;
}

/** Lets a person claim an imported user, by merging it into their own account or by creating a new account. */
export function ClaimUser({ token, link, onGone }: ClaimUserProps) {
  const account = useAccount();
  const [way, setWay] = useState<'new' | 'merge'>();
  /** The account that the person does not want to use. */
  const [other, setOther] = useState<Myself>();
  const [isDone, setDone] = useState(false);
  const me = account.state === 'in' ? account.me : undefined;
  const name = link.name ?? '';

  if (isDone)
    return (
      <Gate
        title={l.claim.done({ name })}
        heading={<WithName words={l.claim.done} values={{ name }} />}
        lead={l.claim.doneMore}
        icon="circle-check"
      >
        <Link to={{ page: 'home' }} onClick={clearArrival}>
          {t.toServers}
        </Link>
      </Gate>
    );
  if (account.state === 'asking')
    return (
      <Gate title={l.welcome.opening} icon="link">
        <Spinner />
      </Gate>
    );
  if (way === 'new' || (way === undefined && !me))
    return (
      <SetPassword
        token={token}
        purpose="claim"
        username={link.username ?? ''}
        name={name}
        aside={
          <Button kind="quiet" onClick={() => setWay('merge')}>
            {l.claim.hasAccount}
          </Button>
        }
      />
    );
  if (!me || me === other)
    return (
      <Gate {...shownOf(link)}>
        <p>
          <WithName words={l.claim.signIn} values={{ name }} />
        </p>
        <SignIn token={token} />
        <Button kind="quiet" isWide onClick={() => setWay('new')}>
          {l.claim.separate}
        </Button>
      </Gate>
    );
  return (
    <Gate
      {...shownOf(link)}
      aside={
        <Button kind="quiet" onClick={() => setWay('new')}>
          {l.claim.separate}
        </Button>
      }
    >
      <p>
        <WithName words={l.claim.as} values={{ name: me.name, username: me.username }} />
      </p>
      <p>
        <WithName words={l.claim.what} values={{ name }} />
      </p>
      <Form
        submit={l.claim.submit}
        isWide
        onSubmit={async () => {
          try {
            await api('none').personMerge({ token });
            takeLink();
            setDone(true);
          } catch (error) {
            if (isCode(error, 'NOT_FOUND')) return onGone();
            throw isCode(error, 'ALREADY_EXISTS') ? new Refusal(l.claim.taken) : error;
          }
        }}
      >
        {null}
      </Form>
      <Button kind="quiet" isWide onClick={() => setOther(me)}>
        {l.claim.other}
      </Button>
    </Gate>
  );
}

/** The person that the link is for. */
const shownOf = ({ username, name, image, servers }: Records['Link']) => ({
  title: l.claim.title({ name: name ?? '' }),
  heading: <WithName words={l.claim.title} values={{ name: name ?? '' }} />,
  lead: (
    <>
      <bdi>@{username}</bdi>
      {servers.length > 0 && (
        <>
          {' · '}
          <bdi>{list(servers.map((server) => server.name))}</bdi>
        </>
      )}
    </>
  ),
  picture: <Avatar id={username ?? ''} name={name ?? ''} src={image} size={56} />,
});

/** The sign-in form. A provider's pages replace this one, so the link is stored until the user returns. */
function SignIn({ token }: { token: string }) {
  const [to] = useState(() => {
    keepLink(token);
    return pathOf({ page: 'welcome' });
  });
  return <SignInForm to={to} />;
}
