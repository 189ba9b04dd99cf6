import { me as t } from '../../../strings/en/me.ts';
import type { Myself } from '../../session/index.ts';
import { Group, Page } from '../../settings/index.ts';
import { Email } from '../security/Email.tsx';
import { Identities } from '../security/Identities.tsx';
import { Passkeys } from '../security/Passkeys.tsx';
import { Password } from '../security/Password.tsx';
import { SecondFactor } from '../security/SecondFactor.tsx';
import { SignOutOthers } from '../security/SignOutOthers.tsx';

/** Sign-in methods and two-factor authentication. */
export const Security = ({ me }: { me: Myself }) => (
  <Page title={t.sections.security} lead={t.security.lead}>
    <Passkeys me={me} />
    <Password me={me} />
    <SecondFactor me={me} />
    <Email me={me} />
    <Identities />
    <Group title={t.sessions.others} lead={t.sessions.othersMore} action={<SignOutOthers />} />
  </Page>
);
