import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { session } from '../../../strings/en/session.ts';
import { Button } from '../../../ui/index.ts';
import { type Myself, signOut } from '../../session/index.ts';
import { Page } from '../../settings/index.ts';
import { Passkeys } from '../security/Passkeys.tsx';
import { SecondFactor } from '../security/SecondFactor.tsx';

/**
 * Shown instead of everything else if the server requires two-factor authentication and the user has not set
 * it up.
 */
export default function MissingFactor({ me }: { me: Myself }) {
  const isDone = me.hasSecondFactor || me.hasPasskey;
  return (
    <main className="state-page">
      <Page
        title={t.factor.required}
        lead={t.factor.requiredMore}
        action={<Button onClick={() => void signOut()}>{common.signOut}</Button>}
      >
        <SecondFactor me={me} />
        <Passkeys me={me} />
        {isDone && (
          <Button kind="main" onClick={() => location.reload()}>
            {session.device.goOn}
          </Button>
        )}
      </Page>
    </main>
  );
}
