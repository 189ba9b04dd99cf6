import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { siteName } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { navigate } from '../../../routes.ts';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Form, Spinner, WithName } from '../../../ui/index.ts';
import { askAccount, useAccount } from '../account.ts';
import { clearArrival, useArrival } from '../arrival.ts';
import { CodeField } from '../CodeField.tsx';
import { NewPassword } from '../NewPassword.tsx';
import { isCode, needOf } from '../refusal.ts';
import { SignUpForm } from '../SignUpForm.tsx';
import { Gate } from './Gate.tsx';
import { VerifyEmail } from './VerifyEmail.tsx';

/** Handles a link from the operator or from an email. Asks for the input that this kind of link needs. */
export function Welcome() {
  const { link } = useArrival();
  if (link === undefined)
    return (
      <Gate title={t.welcome.none} lead={t.welcome.noneMore} icon="link">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  return <Opened key={link} token={link} />;
}

function Opened({ token }: { token: string }) {
  const { data: link, error, isAsking, again } = useAsked(token, () => api('none').personLink({ token }));
  if (isCode(error, 'NOT_FOUND', 'INVALID_REQUEST'))
    return (
      <Gate title={t.welcome.ended} lead={t.welcome.endedMore} icon="clock">
        <Link to={{ page: 'reset' }}>{t.signIn.forgot}</Link>
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (!link)
    return (
      <Gate title={t.welcome.opening} icon="link">
        <ErrorText error={error} onAgain={again} />
        {isAsking && <Spinner />}
      </Gate>
    );
  if (link.purpose === 'email') return <VerifyEmail token={token} />;
  if (link.purpose === 'signUp')
    return (
      <Gate title={t.welcome.signUp} lead={t.welcome.signUpMore({ host: siteName() })} icon="user-plus">
        <Present />
        <SignUpForm token={token} onDone={enter} />
      </Gate>
    );
  return <Claim token={token} purpose={link.purpose} username={link.username ?? ''} name={link.name ?? ''} />;
}

/** The user is signed in, and the link has been used up. */
async function enter(): Promise<void> {
  clearArrival();
  navigate({ page: 'home' }, { replace: true });
  await askAccount();
}

/** Shown to a user who is signed in to an account other than the link's. */
function Present({ not }: { not?: string }) {
  const account = useAccount();
  if (account.state !== 'in' || account.me.username === not) return null;
  return (
    <p>
      <WithName words={t.welcome.changes} values={{ name: account.me.name }} />
    </p>
  );
}

interface ClaimProps {
  token: string;
  purpose: Exclude<Records['Link']['purpose'], 'email' | 'signUp'>;
  username: string;
  name: string;
}

/**
 * Sets an account's password. In another browser, which may belong to someone who stole the link, two-factor
 * authentication is required, too.
 */
function Claim({ token, purpose, username, name }: ClaimProps) {
  const [password, setPassword] = useState<string>();

  async function claim(body: { password: string; code?: string }): Promise<void> {
    try {
      await api('none').personClaim({ token, ...body });
    } catch (error) {
      if (body.code !== undefined || needOf(error)?.need !== 'code') throw error;
      return setPassword(body.password);
    }
    await enter();
  }

  const words = t.welcome.purposes[purpose];
  if (password !== undefined)
    return (
      <Gate title={t.code.title} lead={t.code.why} icon="shield-check">
        <Form
          key="code"
          submit={words.submit}
          isWide
          onCancel={() => setPassword(undefined)}
          onSubmit={(values) => claim({ password, code: values.text('code').trim() })}
        >
          <CodeField />
        </Form>
      </Gate>
    );
  return (
    <Gate
      title={'title' in words ? words.title : t.welcome.claimTitle({ name })}
      lead={words.lead({ username })}
      icon="key-round"
    >
      <Present not={username} />
      <Form
        key="password"
        submit={words.submit}
        isWide
        onSubmit={(values) => claim({ password: values.text('password') })}
      >
        {/* Tells password managers which account the password belongs to. */}
        <input hidden readOnly type="text" autoComplete="username" value={username} />
        <NewPassword not={username} autoFocus />
      </Form>
    </Gate>
  );
}
