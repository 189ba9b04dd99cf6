import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { grant } from '../../../strings/en/account.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Button, Checkbox, Confirm, Dialog, Form, TextField, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself, NewPassword, withProof } from '../../session/index.ts';
import { Group } from '../../settings/index.ts';

/** Adds, changes or removes the password. */
export function Password({ me }: { me: Myself }) {
  const [open, setOpen] = useState<'change' | 'remove'>();
  const close = () => setOpen(undefined);
  return (
    <Group
      title={t.password.title}
      lead={me.hasPassword ? t.password.has : t.password.hasNone}
      action={
        <>
          <Button onClick={() => setOpen('change')}>
            {me.hasPassword ? t.password.change : t.password.add}
          </Button>
          {me.hasPassword && me.hasPasskey && (
            <Button kind="quiet" onClick={() => setOpen('remove')}>
              {t.password.remove}
            </Button>
          )}
        </>
      }
    >
      {open === 'change' && <ChangePassword me={me} onClose={close} />}
      {open === 'remove' && (
        <Confirm
          title={t.password.removeAsked}
          text={t.password.removeMore}
          action={t.password.remove}
          isDanger
          onConfirm={async () => keepAccount(await withProof(() => api('none').personPasswordDelete()))}
          onClose={close}
        />
      )}
    </Group>
  );
}

function ChangePassword({ me, onClose }: { me: Myself; onClose: () => void }) {
  return (
    <Dialog title={me.hasPassword ? t.password.change : t.password.add} size="s" isFirm onClose={onClose}>
      <Form
        submit={t.password.set}
        onCancel={onClose}
        onSubmit={async (values) => {
          const newPassword = values.text('newPassword');
          // The current password also confirms the user's identity.
          const revokeGrants = values.isOn('revokeGrants');
          const body = {
            ...(me.hasPassword && { password: values.text('password') }),
            ...{ newPassword, revokeGrants },
          };
          keepAccount(await withProof(() => api('none').personPassword(body)));
          toast.show(t.password.done, { kind: 'good' });
          onClose();
        }}
      >
        <input hidden readOnly type="text" autoComplete="username" value={me.username} />
        {me.hasPassword && (
          <TextField
            label={t.password.present}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
        )}
        <NewPassword name="newPassword" not={me.username} />
        <p className="setting-hint">{t.password.endsOthers}</p>
        <Checkbox label={grant.revokeWithPassword} name="revokeGrants" value="yes" />
      </Form>
    </Dialog>
  );
}
