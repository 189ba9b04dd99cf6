import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Button, Confirm, Dialog, Form, TextField } from '../../../ui/index.ts';
import { keepAccount, type Myself, useEntrance, withProof } from '../../session/index.ts';
import { Group, Note } from '../../settings/index.ts';

/** The email address, which is needed to reset a forgotten password. */
export function Email({ me }: { me: Myself }) {
  const { data } = useEntrance();
  const [open, setOpen] = useState<'change' | 'remove'>();
  const [sentTo, setSentTo] = useState<string>();
  if (data && !data.sendsMails && me.email === null)
    return <Group title={t.email.title} lead={t.email.noMails} />;
  return (
    <Group
      title={t.email.title}
      lead={me.email === null ? t.email.none : t.email.has({ email: me.email })}
      action={
        <>
          {data?.sendsMails && (
            <Button onClick={() => setOpen('change')}>
              {me.email === null ? t.email.add : t.email.change}
            </Button>
          )}
          {me.email !== null && (
            <Button kind="quiet" onClick={() => setOpen('remove')}>
              {common.remove}
            </Button>
          )}
        </>
      }
    >
      {sentTo !== undefined && (
        <Note icon="mail" isNews>
          {t.email.sent({ email: sentTo })}
        </Note>
      )}
      {open === 'change' && <ChangeEmail onSent={setSentTo} onClose={() => setOpen(undefined)} />}
      {open === 'remove' && (
        <Confirm
          title={t.email.removeAsked}
          text={t.email.removeMore}
          action={common.remove}
          isDanger
          onConfirm={async () => {
            keepAccount(await withProof(() => api('none').personEmailDelete()));
            setSentTo(undefined);
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Group>
  );
}

function ChangeEmail({ onSent, onClose }: { onSent: (email: string) => void; onClose: () => void }) {
  return (
    <Dialog title={t.email.add} size="s" onClose={onClose}>
      <Form
        submit={t.email.send}
        onCancel={onClose}
        onSubmit={async (values) => {
          const email = values.text('email').trim();
          const pending = await withProof(() => api('none').personEmail({ email }));
          onSent(pending.email);
          onClose();
        }}
      >
        <TextField
          label={t.email.title}
          name="email"
          type="email"
          hint={t.email.hint}
          autoComplete="email"
          required
          maxLength={254}
        />
      </Form>
    </Dialog>
  );
}
