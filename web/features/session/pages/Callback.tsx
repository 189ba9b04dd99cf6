import { useEffect, useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Form, Spinner, TextField } from '../../../ui/index.ts';
import { askAccount } from '../account.ts';
import { clearArrival, useArrival } from '../arrival.ts';
import { CodeField } from '../CodeField.tsx';
import { goOn } from '../place.ts';
import { type Need, needOf } from '../refusal.ts';
import { NameField, UsernameField } from '../SignUpForm.tsx';
import { Gate } from './Gate.tsx';

/** The prefix of the server's `state` values for linking a provider to an existing account. */
const CONNECTING = 'add.';

/**
 * The page that a provider redirects to. Completes the sign-in, and asks for anything else that is needed.
 */
export function Callback({ provider }: { provider: string }) {
  const { query } = useArrival();
  const [need, setNeed] = useState<Need>();
  const [error, setError] = useState<unknown>();
  /** The query can be used only once, but an effect may run twice. */
  const asked = useRef<string>(undefined);

  useEffect(() => {
    if (query === undefined || asked.current === query) return;
    asked.current = query;
    clearArrival();
    complete(provider, query).then(enter, (reason) => {
      const needed = needOf(reason);
      if (needed) setNeed(needed);
      else setError(reason);
    });
  }, [provider, query]);

  if (need?.need === 'code')
    return (
      <Gate title={t.code.title} lead={t.code.why} icon="shield-check">
        <Form
          key="code"
          submit={t.signIn.submit}
          isWide
          onSubmit={async (values) =>
            enter(await api('none').personProviderFinish({ code: values.text('code').trim() }))
          }
        >
          <CodeField />
        </Form>
      </Gate>
    );
  if (need) return <NewPerson need={need} />;
  const isNothing = query === undefined && asked.current === undefined;
  return (
    <Gate title={isNothing ? t.callback.nothing : t.callback.title} icon="log-in">
      <ErrorText error={error} />
      {isNothing || error ? (
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      ) : (
        <Spinner label={t.callback.moment} />
      )}
    </Gate>
  );
}

/** Completes the provider's flow. Throws UNAUTHORIZED with further requirements, if there are any. */
function complete(provider: string, query: string): Promise<{ returnTo: string }> {
  const isConnecting = new URLSearchParams(query).get('state')?.startsWith(CONNECTING);
  return isConnecting
    ? api('none').personIdentityInsert({ provider, query })
    : api('none').personProviderCallback({ id: provider, query });
}

async function enter({ returnTo }: { returnTo: string }): Promise<void> {
  await askAccount();
  goOn(returnTo);
}

/** The last segment of an invite URL, or the text itself if it is an id. */
const inviteIn = (text: string): string | undefined => text.trim().split('/').filter(Boolean).at(-1);

/** Asks for the data needed to create an account for a user who is new to this server. */
function NewPerson({ need }: { need: Need }) {
  const [username, setUsername] = useState(need.username ?? '');
  return (
    <Gate title={t.callback.newHere} lead={t.callback.newHereMore} icon="user-plus">
      <Form
        submit={t.signUp.submit}
        isWide
        onSubmit={async (values) => {
          const inviteId = inviteIn(values.text('inviteId'));
          const name = values.optional('name')?.trim();
          await enter(await api('none').personProviderFinish({ username, name, inviteId }));
        }}
      >
        <UsernameField value={username} onText={setUsername} />
        <NameField defaultValue={need.name} />
        <TextField
          label={t.callback.invite}
          name="inviteId"
          hint={t.callback.inviteHint}
          isOptional
          spellCheck={false}
          maxLength={300}
        />
      </Form>
    </Gate>
  );
}
