import { useState } from 'react';
import { api } from '../../api/index.ts';
import { Link } from '../../Link.tsx';
import { session as t } from '../../strings/en/session.ts';
import { Form, TextField } from '../../ui/index.ts';
import { askAccount } from './account.ts';
import { CodeField } from './CodeField.tsx';
import { useEntrance } from './entrance.ts';
import { PasskeySignIn } from './PasskeySignIn.tsx';
import { Providers } from './Providers.tsx';
import { hasPasskeys } from './passkey.ts';
import { needOf } from './refusal.ts';

interface SignInFormProps {
  /** The path to which the sign-in provider returns the user. */
  to: string;
  /** The initial username. */
  name?: string;
  autoFocus?: boolean;
}

/** Sign-in with a password, or with any other method that this server and browser support. */
export function SignInForm({ to, name = '', autoFocus = true }: SignInFormProps) {
  /** The accepted username and password, kept while the two-factor code is requested. */
  const [given, setGiven] = useState<{ name: string; password: string }>();
  const { data } = useEntrance();

  async function signIn(body: { name: string; password: string; code?: string }): Promise<void> {
    try {
      await api('none').personSignIn(body);
    } catch (error) {
      if (body.code !== undefined || needOf(error)?.need !== 'code') throw error;
      return setGiven(body);
    }
    await askAccount();
  }

  if (given)
    return <CodeForm onCode={(code) => signIn({ ...given, code })} onCancel={() => setGiven(undefined)} />;

  return (
    <div className="stack">
      <Form
        key="password"
        label={t.signIn.title}
        submit={t.signIn.submit}
        isWide
        onSubmit={(values) => signIn({ name: values.text('name').trim(), password: values.text('password') })}
      >
        <TextField
          label={t.signIn.name}
          name="name"
          defaultValue={name}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={autoFocus}
          required
          maxLength={254}
        />
        <div className="session-password">
          <TextField
            label={t.password}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
          <Link className="small session-forgot" to={{ page: 'reset' }}>
            {t.signIn.forgot}
          </Link>
        </div>
      </Form>
      <Others hasProviders={(data?.providers.length ?? 0) > 0} to={to} />
    </div>
  );
}

interface CodeFormProps {
  onCode: (code: string) => Promise<void>;
  onCancel: () => void;
}

const CodeForm = ({ onCode, onCancel }: CodeFormProps) => (
  <Form
    label={t.signIn.title}
    submit={t.signIn.submit}
    isWide
    onCancel={onCancel}
    onSubmit={(values) => onCode(values.text('code').trim())}
  >
    <p>{t.code.why}</p>
    <CodeField />
  </Form>
);

/** The other sign-in methods, below a separator. Renders nothing if there are none. */
function Others({ hasProviders, to }: { hasProviders: boolean; to: string }) {
  if (!hasProviders && !hasPasskeys()) return null;
  return (
    <div className="stack session-others">
      <p className="small muted session-or">{t.or}</p>
      <PasskeySignIn />
      <Providers to={to} />
    </div>
  );
}
