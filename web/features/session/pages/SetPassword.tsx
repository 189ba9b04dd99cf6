import { type ReactNode, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { navigate } from '../../../routes.ts';
import { links as l } from '../../../strings/en/account.ts';
import { session as t } from '../../../strings/en/session.ts';
import { Form, WithName } from '../../../ui/index.ts';
import { askAccount, useAccount } from '../account.ts';
import { clearArrival } from '../arrival.ts';
import { CodeField } from '../CodeField.tsx';
import { takeLink } from '../keptLink.ts';
import { NewPassword } from '../NewPassword.tsx';
import { needOf } from '../refusal.ts';
import { Gate } from './Gate.tsx';

/** Opens the home page after a link has signed the user in. */
export async function enter(): Promise<void> {
  takeLink();
  clearArrival();
  navigate({ page: 'home' }, { replace: true });
  await askAccount();
}

/** Shown to a user who is signed in to an account other than the link's. */
export function Present({ not }: { not?: string }) {
  const account = useAccount();
  if (account.state !== 'in' || account.me.username === not) return null;
  return (
    <p>
      <WithName words={l.welcome.changes} values={{ name: account.me.name }} />
    </p>
  );
}

interface SetPasswordProps {
  token: string;
  purpose: Exclude<Records['Link']['purpose'], 'email' | 'signUp'>;
  username: string;
  name: string;
  /** A line below the card. */
  aside?: ReactNode;
}

/**
 * Sets an account's password. Asks for a two-factor code if the account has two-factor authentication, because
 * the link may be stolen.
 */
export function SetPassword({ token, purpose, username, name, aside }: SetPasswordProps) {
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

  const words = l.welcome.purposes[purpose];
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
      title={'title' in words ? words.title : l.welcome.claimTitle({ name })}
      lead={words.lead({ username })}
      icon="key-round"
      aside={aside}
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
