import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Badge, Button, Confirm, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself, withProof } from '../../session/index.ts';
import { Group } from '../../settings/index.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUpApp } from './SetUpApp.tsx';

type Shown = 'setUp' | 'remove' | 'codes';

/** Two-factor authentication with an authenticator app. */
export function SecondFactor({ me }: { me: Myself }) {
  const [open, setOpen] = useState<Shown>();
  const [codes, setCodes] = useState<readonly string[]>();
  const close = () => setOpen(undefined);

  return (
    <Group
      title={t.factor.title}
      lead={t.factor.lead}
      action={<Actions isOn={me.hasSecondFactor} onOpen={setOpen} />}
    >
      {open === 'setUp' && (
        <SetUpApp
          onClose={close}
          onDone={(made) => {
            keepAccount({ hasSecondFactor: true });
            setCodes(made);
            close();
          }}
        />
      )}
      {open === 'codes' && (
        <Confirm
          title={t.factor.newCodes}
          text={t.factor.newCodesMore}
          action={t.factor.makeCodes}
          onConfirm={async () => setCodes((await withProof(() => api('none').personRecoveryCodes())).codes)}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <Confirm
          title={t.factor.removeAsked}
          text={t.factor.removeMore}
          action={t.factor.remove}
          isDanger
          onConfirm={async () => {
            keepAccount(await withProof(() => api('none').personSecondFactorDelete()));
            toast.show(t.factor.removed);
          }}
          onClose={close}
        />
      )}
      {codes && !open && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Group>
  );
}

const Actions = ({ isOn, onOpen }: { isOn: boolean; onOpen: (what: Shown) => void }) =>
  isOn ? (
    <>
      <Badge kind="good">{t.factor.on}</Badge>
      <Button onClick={() => onOpen('codes')}>{t.factor.newCodes}</Button>
      <Button kind="quiet" onClick={() => onOpen('remove')}>
        {t.factor.remove}
      </Button>
    </>
  ) : (
    <Button icon="smartphone" onClick={() => onOpen('setUp')}>
      {t.factor.setUp}
    </Button>
  );
