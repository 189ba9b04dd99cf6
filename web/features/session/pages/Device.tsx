import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { common } from '../../../strings/en/common.ts';
import { session as t } from '../../../strings/en/session.ts';
import { ErrorText, Form, Spinner, TextField } from '../../../ui/index.ts';
import { type Myself, useAccount } from '../account.ts';
import { useArrival } from '../arrival.ts';
import { withProof } from '../proof.ts';
import { isCode, Refusal } from '../refusal.ts';
import { SignInForm } from '../SignInForm.tsx';
import { Decision } from './Decision.tsx';
import { Gate } from './Gate.tsx';

/** Authorizes an app that displays a code, for example in a terminal or on a TV. */
export function Device() {
  const account = useAccount();
  const { code } = useArrival();
  const [typed, setTyped] = useState<string>();
  if (account.state !== 'in')
    return (
      <Gate title={t.device.title} lead={t.device.signIn} icon="smartphone">
        <SignInForm to={location.pathname} />
      </Gate>
    );
  const userCode = typed ?? code;
  if (userCode === undefined || userCode === '') return <AskCode onCode={setTyped} />;
  return <Shown key={userCode} userCode={userCode} me={account.me} onOther={() => setTyped('')} />;
}

const AskCode = ({ onCode }: { onCode: (code: string) => void }) => (
  <Gate title={t.device.title} lead={t.device.lead} icon="smartphone">
    <Form
      submit={t.device.goOn}
      isWide
      onSubmit={async (values) => {
        const userCode = values.text('userCode').trim();
        await api('none').approvalLook({ userCode }).catch(refuseUnknown);
        onCode(userCode);
      }}
    >
      <TextField
        label={t.device.code}
        name="userCode"
        placeholder="BCDF-GHJK"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        required
        maxLength={100}
      />
    </Form>
  </Gate>
);

function refuseUnknown(error: unknown): never {
  throw isCode(error, 'NOT_FOUND') ? new Refusal(t.device.unknown) : error;
}

type Approval = Records['Approval'];

interface ShownProps {
  userCode: string;
  me: Myself;
  onOther: () => void;
}

/** Shows the app that displays the code, and the access it would get. */
function Shown({ userCode, me, onOther }: ShownProps) {
  const { data, error, again } = useAsked(userCode, () => api('none').approvalLook({ userCode }));
  const [answered, setAnswered] = useState<Approval['status']>();
  if (answered === 'approved')
    return (
      <Gate title={t.device.approved} lead={t.device.approvedMore} icon="circle-check">
        <Link to={{ page: 'me', section: 'sessions' }}>{t.device.toSessions}</Link>
      </Gate>
    );
  if (answered === 'denied')
    return (
      <Gate title={t.device.denied} lead={t.device.deniedMore} icon="ban">
        <Link to={{ page: 'home' }}>{t.toStart}</Link>
      </Gate>
    );
  if (!data)
    return (
      <Gate title={t.device.title} icon="smartphone">
        {error ? (
          <ErrorText onAgain={isCode(error, 'NOT_FOUND') ? onOther : again}>
            {isCode(error, 'NOT_FOUND') ? t.device.unknown : undefined}
          </ErrorText>
        ) : (
          <Spinner />
        )}
      </Gate>
    );
  const facts: [string, string][] = [
    [t.device.code, data.userCode],
    [common.app, data.client],
    ...(data.device === null ? [] : [[t.device.device, data.device] satisfies [string, string]]),
    [t.device.address, data.isSameAddress ? t.device.sameAddress({ address: data.address }) : data.address],
  ];
  return (
    <Decision
      title={t.device.asks({ app: data.client })}
      lead={t.device.asWhom({ name: me.name, username: me.username })}
      facts={facts}
      warning={data.isSameAddress ? t.device.warning : t.device.warningElsewhere}
      onApprove={async () => {
        const { status } = await withProof(() => api('none').approvalInsert({ userCode })).catch(
          refuseUnknown,
        );
        setAnswered(status);
      }}
      onDeny={async () => {
        const { status } = await api('none').approvalDeny({ userCode }).catch(refuseUnknown);
        setAnswered(status);
      }}
    />
  );
}
