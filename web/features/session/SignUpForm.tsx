import { useState } from 'react';
import { api } from '../../api/index.ts';
import { common } from '../../strings/en/common.ts';
import { session as t } from '../../strings/en/session.ts';
import { Form, TextField } from '../../ui/index.ts';
import { useEntrance } from './entrance.ts';
import { NewPassword } from './NewPassword.tsx';

interface SignUpFormProps {
  /** An invite to a server, which the new user joins. */
  inviteId?: string;
  /** The token from an operator's link. */
  token?: string;
  onDone: () => Promise<unknown>;
}

/** Creates an account and signs in. */
export function SignUpForm({ inviteId, token, onDone }: SignUpFormProps) {
  const [username, setUsername] = useState('');
  return (
    <Form
      label={t.signUp.title}
      submit={t.signUp.submit}
      isWide
      onSubmit={async (values) => {
        const body = { username, password: values.text('password'), inviteId, token };
        await api('none').personSignUp({ ...body, name: values.optional('name')?.trim() });
        await onDone();
      }}
    >
      <UsernameField value={username} onText={setUsername} />
      <NameField />
      <NewPassword label={t.password} not={username} />
    </Form>
  );
}

/** The characters allowed in usernames. */
const PATTERN = '[a-z0-9_.\\-]+';

interface UsernameFieldProps {
  value: string;
  onText: (text: string) => void;
  autoFocus?: boolean;
}

/** A field for a new username. It lowercases the input, and reports invalid characters immediately. */
export function UsernameField({ value, onText, autoFocus = true }: UsernameFieldProps) {
  const { data } = useEntrance();
  const isWrong = value !== '' && !new RegExp(`^${PATTERN}$`).test(value);
  return (
    <TextField
      label={common.username}
      name="username"
      value={value}
      onText={(text) => onText(text.toLowerCase().replaceAll(' ', ''))}
      hint={isWrong ? undefined : t.username.rule}
      error={isWrong ? t.username.wrong : undefined}
      autoComplete="username"
      autoCapitalize="none"
      autoFocus={autoFocus}
      spellCheck={false}
      required
      pattern={PATTERN}
      maxLength={data?.maxUsernameCharacters}
    />
  );
}

export const NameField = ({ defaultValue }: { defaultValue?: string }) => (
  <TextField
    label={t.name.label}
    name="name"
    hint={t.name.hint}
    defaultValue={defaultValue}
    autoComplete="name"
    isOptional
    maxLength={100}
  />
);
