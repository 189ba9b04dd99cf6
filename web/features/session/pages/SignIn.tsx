import { useEffect } from 'react';
import { siteName } from '../../../api/base.ts';
import { Link } from '../../../Link.tsx';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText } from '../../../ui/index.ts';
import { hasLapsed, useAccount } from '../account.ts';
import { type Entrance, useEntrance } from '../entrance.ts';
import { destination, goOn, withDestination } from '../place.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Gate } from './Gate.tsx';

/**
 * The sign-in page. With `isAsked`, it replaces a page that requires a session; that page appears after
 * signing in.
 */
export function SignIn({ isAsked = false }: { isAsked?: boolean }) {
  const account = useAccount();
  const { data, error, again } = useEntrance();
  const to = isAsked ? location.pathname + location.search : destination();
  const isIn = account.state === 'in';
  useEffect(() => {
    if (isIn && !isAsked) goOn(destination());
  }, [isIn, isAsked]);
  return (
    <Gate
      title={t.signIn.title}
      lead={isAsked ? (hasLapsed() ? t.signIn.lapsed : t.signIn.toSee) : t.signIn.lead({ host: siteName() })}
      aside={data && <NewHere entrance={data} to={to} />}
    >
      <ErrorText error={error} onAgain={again} />
      <SignInForm to={to} />
    </Gate>
  );
}

/** Explains how to get an account on this server. */
export function NewHere({ entrance: { signUp }, to }: { entrance: Entrance; to: string }) {
  if (signUp === 'invite') return <p>{t.signUp.needsInvite}</p>;
  if (signUp === 'closed') return <p>{t.signUp.how.closed}</p>;
  return (
    <p>
      {t.signUp.newHere} <Link to={withDestination('signUp', to)}>{t.signUp.title}</Link>
    </p>
  );
}
