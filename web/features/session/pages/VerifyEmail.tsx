import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { links as l } from '../../../strings/en/account.ts';
import { Form } from '../../../ui/index.ts';
import { keepAccount, useAccount } from '../account.ts';
import { clearArrival } from '../arrival.ts';
import { home } from '../place.ts';
import { isCode, Refusal } from '../refusal.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Gate } from './Gate.tsx';

/**
 * Confirms an email address for the signed-in user who added it. Link scanners cannot confirm it, because
 * they have no session.
 */
export function VerifyEmail({ token }: { token: string }) {
  const account = useAccount();
  const [email, setEmail] = useState<string>();
  if (email !== undefined)
    return (
      <Gate title={l.verify.done} lead={l.verify.doneMore({ email })} icon="circle-check">
        <Link to={{ page: 'me', section: 'security' }} onClick={clearArrival}>
          {l.verify.toAccount}
        </Link>
      </Gate>
    );
  if (account.state !== 'in')
    return (
      <Gate title={l.verify.title} lead={l.verify.signIn} icon="mail">
        <SignInForm to={home()} />
      </Gate>
    );
  const { me } = account;
  return (
    <Gate
      title={l.verify.title}
      lead={l.verify.lead({ name: me.name, username: me.username })}
      icon="mail"
      aside={<Link to={{ page: 'me', section: 'security' }}>{l.verify.toAccount}</Link>}
    >
      <Form
        submit={l.verify.submit}
        isWide
        onSubmit={async () => {
          try {
            const changed = await api('none').personEmailVerify({ token });
            keepAccount(changed);
            setEmail(changed.email ?? '');
          } catch (error) {
            // The server does not reveal whose address it is.
            throw isCode(error, 'NOT_FOUND') ? new Refusal(l.verify.notYours) : error;
          }
        }}
      >
        {null}
      </Form>
    </Gate>
  );
}
