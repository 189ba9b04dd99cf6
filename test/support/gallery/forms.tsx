import { Form, Select, TextArea, TextField, type Values } from '../../../web/ui/index.ts';

const kinds = [
  { value: 'text', label: 'Text' },
  { value: 'announcement', label: 'Announcements' },
  { value: 'voice', label: 'Voice', isDisabled: true },
];

/** Throws errors like the server's for some names. */
async function create(values: Values): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 300));
  const refusal = (code: string, message: string, details?: unknown) =>
    Object.assign(new Error(message), { code, details });
  if (values.text('name') === 'general')
    throw refusal('INVALID_REQUEST', 'The body is not valid', [
      { path: 'name', message: 'A channel has this name already.', reason: 'wrong_form' },
    ]);
  if (values.text('name') === 'forbidden') throw refusal('FORBIDDEN', 'You may not create channels here.');
}

export function Forms() {
  return (
    <>
      <div className="gallery-card">
        <Form label="Create a channel" submit="Create channel" onSubmit={create} onCancel={() => undefined}>
          <TextField
            label="Name"
            name="name"
            icon="hash"
            required
            minLength={2}
            hint="Lowercase, without spaces."
          />
          <TextArea
            label="Topic"
            name="topic"
            isOptional
            most={50}
            defaultValue="Where we talk about ships"
          />
          <Select label="Kind" name="kind" options={kinds} defaultValue="text" />
        </Form>
      </div>
      <div className="gallery-card">
        <Form label="Sign in" submit="Sign in" isWide onSubmit={() => undefined}>
          <TextField label="Name or email" name="login" defaultValue="ada" autoComplete="username" />
          <TextField
            label="Password"
            name="password"
            type="password"
            defaultValue="correct horse"
            autoComplete="current-password"
          />
        </Form>
      </div>
      <TextField label="Search" isLabelHidden type="search" placeholder="Search messages" />
      <TextField label="Address" error="Enter a URL that starts with https://" defaultValue="example" />
      <TextField label="Read only" disabled defaultValue="srv_01hv7z" />
    </>
  );
}
