import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { siteName } from '../../../api/base.ts';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { links as l } from '../../../strings/en/account.ts';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Spinner } from '../../../ui/index.ts';
import { useArrival } from '../arrival.ts';
import { takeLink } from '../keptLink.ts';
import { isCode } from '../refusal.ts';
import { SignUpForm } from '../SignUpForm.tsx';
import { ClaimUser } from './ClaimUser.tsx';
import { Gate } from './Gate.tsx';
import { enter, Present, SetPassword } from './SetPassword.tsx';
import { VerifyEmail } from './VerifyEmail.tsx';

/** Handles a link from the operator or from an email. Asks for the input that this kind of link needs. */
export function Welcome() {
  const arrival = useArrival();
  // Restores the link after the user returns from a sign-in provider.
  const [kept] = useState(takeLink);
  const link = arrival.link ?? kept;
  if (link === undefined)
    return (
      <Gate title={l.welcome.none} lead={l.welcome.noneMore} icon="link">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  return <Opened key={link} token={link} />;
}

function Opened({ token }: { token: string }) {
  const { data: link, error, isAsking, again } = useAsked(token, () => api('none').personLink({ token }));
  if (isCode(error, 'NOT_FOUND', 'INVALID_REQUEST'))
    return (
      <Gate title={l.welcome.ended} lead={l.welcome.endedMore} icon="clock">
        <Link to={{ page: 'reset' }}>{t.signIn.forgot}</Link>
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (!link)
    return (
      <Gate title={l.welcome.opening} icon="link">
        <ErrorText error={error} onAgain={again} />
        {isAsking && <Spinner />}
      </Gate>
    );
  if (link.purpose === 'email') return <VerifyEmail token={token} />;
  if (link.purpose === 'signUp')
    return (
      <Gate title={t.start.tab} lead={l.welcome.signUpMore({ host: siteName() })} icon="user-plus">
        <Present />
        <SignUpForm token={token} onDone={enter} />
      </Gate>
    );
  if (link.canMerge) return <ClaimUser token={token} link={link} onGone={again} />;
  return (
    <SetPassword token={token} purpose={link.purpose} username={link.username ?? ''} name={link.name ?? ''} />
  );
}
