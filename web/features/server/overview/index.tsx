import { useRef, useState } from 'react';
import { api } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { overviewSettings as t } from '../../../strings/en/serverSettings.ts';
import { changesTo } from '../../../ui/changes.ts';
import { Form, Switch, TextArea, TextField, toast, type Values } from '../../../ui/index.ts';
import { Closed, Group, Page } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Picture } from './Picture.tsx';
import { Tint } from './Tint.tsx';

/** What the server is called, how it looks, and who finds it. */
export default function Overview({ serverId }: SectionProps) {
  const { server } = useServer(serverId);
  const may = useMay(serverId, 'server update');
  const [tint, setTint] = useState(server?.tint ?? null);
  const before = useRef(server);
  if (!server) return null;
  const isClosed = !may.allowed;

  async function save(values: Values): Promise<void> {
    if (!server) return;
    const wanted = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      welcome: values.optional('welcome') ?? null,
      private: values.isOn('private'),
      tint,
    };
    const changes = changesTo(before.current ?? server, wanted);
    if (changes) await api(serverId).serverUpdate({ serverId, ...changes });
    before.current = { ...server, ...wanted };
    toast.show(t.saved, { kind: 'good' });
  }

  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={common.viewOnly} />
      <Group title={t.pictures} lead={t.picturesLead}>
        <Picture server={server} what="icon" isClosed={isClosed} />
        <Picture server={server} what="banner" isClosed={isClosed} />
      </Group>
      <Group title={t.words}>
        <Form label={t.words} submit={isClosed ? false : t.save} onSubmit={save}>
          <TextField
            name="name"
            label={common.name}
            defaultValue={server.name}
            maxLength={100}
            required
            disabled={isClosed}
          />
          {(['description', 'welcome'] as const).map((name) => (
            <TextArea
              key={name}
              name={name}
              label={{ description: common.description, welcome: t.welcome }[name]}
              hint={t[`${name}Hint`]}
              defaultValue={server[name] ?? ''}
              most={4000}
              isOptional
              disabled={isClosed}
            />
          ))}
          <Tint value={tint} onValue={setTint} isDisabled={isClosed} />
          <Switch
            name="private"
            label={t.private}
            hint={t.privateHint}
            defaultOn={server.private}
            isDisabled={isClosed}
          />
        </Form>
      </Group>
    </Page>
  );
}
