import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { common } from '../../../strings/en/common.ts';
import { session as t } from '../../../strings/en/session.ts';
import { useAccount } from '../account.ts';
import { type Authorization, authorizationIn, deniedAt } from '../authorization.ts';
import { withProof } from '../proof.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Decision } from './Decision.tsx';
import { Gate } from './Gate.tsx';

/** Authorizes an app on this machine; the browser redirects back to it with a code. */
export function Authorize() {
  const account = useAccount();
  const [asked] = useState(() => authorizationIn(location.search));
  const [isGoing, setGoing] = useState(false);
  if (!asked)
    return (
      <Gate title={t.authorize.wrong} lead={t.authorize.wrongMore} icon="plug">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (isGoing)
    return (
      <Gate title={t.authorize.done} lead={t.authorize.doneMore({ app: asked.client })} icon="circle-check" />
    );
  if (account.state !== 'in')
    return (
      <Gate title={t.signIn.title} lead={t.authorize.signIn({ app: asked.client })} icon="plug">
        <SignInForm to={location.pathname + location.search} />
      </Gate>
    );
  const leave = (to: string) => {
    setGoing(true);
    location.assign(to);
  };
  return (
    <Decision
      title={t.device.asks({ app: asked.client })}
      lead={t.device.asWhom({ name: account.me.name, username: account.me.username })}
      facts={[
        [common.app, asked.client],
        [t.authorize.place, t.authorize.thisMachine({ port: new URL(asked.redirectUri).port || '80' })],
      ]}
      warning={t.authorize.warning}
      onApprove={async () => leave(await approve(asked))}
      onDeny={async () => leave(deniedAt(asked))}
    />
  );
}

async function approve({ client, redirectUri, codeChallenge, state }: Authorization): Promise<string> {
  const body = { client, redirectUri, codeChallenge, codeChallengeMethod: 'S256' as const, state };
  const { redirectTo } = await withProof(() => api('none').approvalRedirect(body));
  return redirectTo;
}
