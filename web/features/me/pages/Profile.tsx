import { api } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Form, TextField, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself, useEntrance } from '../../session/index.ts';
import { Group, Page } from '../../settings/index.ts';
import { Picture } from './Picture.tsx';

/** The public profile: avatar, name and username. */
export function Profile({ me }: { me: Myself }) {
  const { data } = useEntrance();
  const change = async (fields: { name?: string; username?: string }) => {
    keepAccount(await api('none').personUpdate(fields));
    toast.show(t.profile.saved, { kind: 'good' });
  };
  return (
    <Page title={t.sections.profile} lead={t.profile.lead}>
      <Picture me={me} />
      <Group title={common.name} lead={t.profile.nameMore}>
        <Form label={common.name} onSubmit={(values) => change({ name: values.text('name').trim() })}>
          <TextField
            label={common.name}
            isLabelHidden
            name="name"
            defaultValue={me.name}
            autoComplete="name"
            required
            maxLength={100}
          />
        </Form>
      </Group>
      <Group title={common.username} lead={t.profile.usernameMore}>
        <Form
          label={common.username}
          onSubmit={(values) => change({ username: values.text('username').trim().toLowerCase() })}
        >
          <TextField
            label={common.username}
            isLabelHidden
            name="username"
            defaultValue={me.username}
            hint={t.profile.usernameRule}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            pattern="[a-zA-Z0-9_.\-]+"
            maxLength={data?.maxUsernameCharacters}
          />
        </Form>
      </Group>
    </Page>
  );
}
