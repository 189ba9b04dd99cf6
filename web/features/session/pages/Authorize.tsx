import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { grant as words } from '../../../strings/en/account.ts';
import { common } from '../../../strings/en/common.ts';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Spinner } from '../../../ui/index.ts';
import { type Myself, useAccount } from '../account.ts';
import { type Authorization, authorizationIn, deniedAt } from '../authorization.ts';
import { withProof } from '../proof.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Decision } from './Decision.tsx';
import { Gate } from './Gate.tsx';
import { GrantDecision } from './GrantDecision.tsx';

/** Approves an authorization request. The browser then redirects to the app with an authorization code. */
export function Authorize() {
  const account = useAccount();
  const [asked] = useState(() => authorizationIn(location.search));
  if (!asked)
    return (
      <Gate title={t.authorize.wrong} lead={t.authorize.wrongMore} icon="plug">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (account.state !== 'in')
    return (
      <Gate title={t.signIn.title} lead={t.authorize.signIn({ app: asked.client })} icon="plug">
        <SignInForm to={location.pathname + location.search} />
      </Gate>
    );
  return <Known asked={asked} me={account.me} />;
}

/** The server validates the app first. Until then, even its redirect URI must not be opened. */
function Known({ asked, me }: { asked: Authorization; me: Myself }) {
  const { client, redirectUri } = asked;
  const { data, error, again } = useAsked(client, () => api('none').approvalClient({ client, redirectUri }));
  const [isGoing, setGoing] = useState(false);
  if (!data)
    return (
      <Gate title={error ? t.authorize.wrong : t.device.title} icon="plug">
        {error ? <ErrorText error={error} onAgain={again} /> : <Spinner />}
      </Gate>
    );
  if (isGoing)
    return (
      <Gate title={t.authorize.done} lead={t.authorize.doneMore({ app: data.name })} icon="circle-check" />
    );
  const leave = (to: string) => {
    setGoing(true);
    location.assign(to);
  };
  const props = { asked, app: data, me, leave };
  return asked.grant ? (
    <GrantDecision {...props} asked={{ ...asked, grant: asked.grant }} />
  ) : (
    <SessionDecision {...props} />
  );
}

interface SessionProps {
  asked: Authorization;
  app: Records['ApprovalClient'];
  me: Myself;
  leave: (to: string) => void;
}

/** Asks whether an app on the user's computer may act as the user, with all of the user's permissions. */
const SessionDecision = ({ asked, app, me, leave }: SessionProps) => (
  <Decision
    title={t.device.asks({ app: app.name })}
    lead={t.device.asWhom({ name: me.name, username: me.username })}
    facts={[
      [common.app, app.name],
      [t.authorize.place, t.authorize.thisMachine({ port: new URL(asked.redirectUri).port || '80' })],
    ]}
    warning={`${words.session} ${t.authorize.warning}`}
    onApprove={async () => {
      const { client, redirectUri, codeChallenge, state } = asked;
      const body = { client, redirectUri, codeChallenge, codeChallengeMethod: 'S256' as const, state };
      leave((await withProof(() => api('none').approvalRedirect(body))).redirectTo);
    }}
    onDeny={async () => leave(deniedAt(asked))}
  />
);
