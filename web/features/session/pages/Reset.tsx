import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { session as t } from '../../../strings/en/session.ts';
import { Copy, ErrorText, Form, Spinner, TextField } from '../../../ui/index.ts';
import { useEntrance } from '../entrance.ts';
import { Gate } from './Gate.tsx';

const back = <Link to={{ page: 'signIn' }}>{t.reset.back}</Link>;
const command = 'npx palaver user password --username …';

/**
 * Resets a password with a link sent by email. If the server cannot send email, explains how to ask the operator.
 */
export function Reset() {
  const { data, error, isAsking, again } = useEntrance();
  const [name, setName] = useState<string>();
  if (name !== undefined)
    return (
      <Gate title={t.reset.sent} lead={t.reset.sentMore({ name })} icon="mail" aside={back}>
        <p>{t.reset.nothingCame}</p>
      </Gate>
    );
  if (data && !data.sendsMails)
    return (
      <Gate title={t.reset.title} lead={t.reset.noMails} icon="key-round" aside={back}>
        <p>{t.reset.operator}</p>
        <Copy text={command} isShown />
      </Gate>
    );
  return (
    <Gate title={t.reset.title} lead={data && t.reset.lead} icon="key-round" aside={back}>
      <ErrorText error={error} onAgain={again} />
      {isAsking && <Spinner />}
      {data && (
        <Form
          submit={t.reset.submit}
          isWide
          onSubmit={async (values) => {
            const wanted = values.text('name').trim();
            await api('none').personPasswordReset({ name: wanted });
            setName(wanted);
          }}
        >
          <TextField
            label={t.signIn.name}
            name="name"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            maxLength={254}
          />
        </Form>
      )}
    </Gate>
  );
}
