import { useEffect } from 'react';
import { siteName } from '../../../api/base.ts';
import { Link } from '../../../Link.tsx';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Spinner } from '../../../ui/index.ts';
import { askAccount, useAccount } from '../account.ts';
import { useEntrance } from '../entrance.ts';
import { Providers } from '../Providers.tsx';
import { destination, goOn, withDestination } from '../place.ts';
import { SignUpForm } from '../SignUpForm.tsx';
import { Gate } from './Gate.tsx';

/** Creates an account if sign-up is open. Otherwise, explains what is required. */
export function SignUp() {
  const account = useAccount();
  const { data, error, again } = useEntrance();
  const isIn = account.state === 'in';
  useEffect(() => {
    if (isIn) goOn(destination());
  }, [isIn]);
  const to = destination();
  const aside = (
    <p>
      {t.signUp.hasAccount} <Link to={withDestination('signIn', to)}>{t.signIn.title}</Link>
    </p>
  );
  if (data && data.signUp !== 'open')
    return (
      <Gate
        title={t.signUp.notOpen[data.signUp]}
        lead={t.signUp.how[data.signUp]}
        icon="mail-open"
        aside={aside}
      />
    );
  return (
    <Gate title={t.signUp.title} lead={t.signUp.lead({ host: siteName() })} aside={aside}>
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data && (
        <>
          <SignUpForm onDone={askAccount} />
          {data.providers.length > 0 && (
            <div className="stack session-others">
              <p className="small muted session-or">{t.or}</p>
              <Providers to={to} />
            </div>
          )}
        </>
      )}
    </Gate>
  );
}
