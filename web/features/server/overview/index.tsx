import { useRef, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { overviewSettings as t } from '../../../strings/en/serverSettings.ts';
import { changesTo } from '../../../ui/changes.ts';
import { Form, Select, Switch, TextArea, TextField, toast, type Values } from '../../../ui/index.ts';
import { Closed, Group, Page, RetentionField, retentionIn } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Picture } from './Picture.tsx';
import { Tint } from './Tint.tsx';

/** A server's name, appearance and visibility. */
export default function Overview({ serverId }: SectionProps) {
  const { server } = useServer(serverId);
  const may = useMay(serverId, 'server update');
  if (!server) return null;
  const isClosed = !may.allowed;

  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={common.viewOnly} />
      <Group title={t.pictures} lead={t.picturesLead}>
        <Picture server={server} what="icon" isClosed={isClosed} />
        <Picture server={server} what="banner" isClosed={isClosed} />
      </Group>
      <Group title={t.words}>
        <WordsForm server={server} isClosed={isClosed} />
      </Group>
    </Page>
  );
}

/** The form for a server's texts, colour and settings. */
function WordsForm({ server, isClosed }: { server: Records['Server']; isClosed: boolean }) {
  const [tint, setTint] = useState(server.tint);
  const before = useRef(server);
  const mayKeep = useMay(server.id, 'server update', {}, { setsRetention: {} });

  async function save(values: Values): Promise<void> {
    const wanted = {
      name: values.text('name'),
      description: values.optional('description') ?? null,
      welcome: values.optional('welcome') ?? null,
      private: values.isOn('private'),
      directAgents: values.isOn('directAgents'),
      linkPreviews: values.isOn('linkPreviews'),
      ...(mayKeep.allowed && { retentionDays: retentionIn(values) }),
      editHistory: values.text('editHistory') as Records['Server']['editHistory'],
      tint,
    };
    const changes = changesTo(before.current, wanted);
    if (changes) await api(server.id).serverUpdate({ serverId: server.id, ...changes });
    before.current = { ...server, ...wanted };
    toast.show(t.saved, { kind: 'good' });
  }

  return (
    <Form label={t.words} submit={isClosed ? false : t.save} onSubmit={save}>
      <TextField
        name="name"
        label={common.name}
        defaultValue={server.name}
        maxLength={100}
        required
        disabled={isClosed}
      />
      <TextArea
        name="description"
        label={common.description}
        hint={t.descriptionHint}
        defaultValue={server.description ?? ''}
        most={4000}
        isOptional
        disabled={isClosed}
      />
      <TextArea
        name="welcome"
        label={t.welcome}
        hint={t.welcomeHint}
        defaultValue={server.welcome ?? ''}
        most={4000}
        isOptional
        disabled={isClosed}
      />
      <Tint value={tint} onValue={setTint} isDisabled={isClosed} />
      <Switch
        name="private"
        label={common.private}
        hint={t.privateHint}
        defaultOn={server.private}
        isDisabled={isClosed}
      />
      <Switch
        name="directAgents"
        label={t.directAgents}
        defaultOn={server.directAgents}
        isDisabled={isClosed}
      />
      <Switch
        name="linkPreviews"
        label={t.linkPreviews}
        hint={t.linkPreviewsHint}
        defaultOn={server.linkPreviews}
        isDisabled={isClosed}
      />
      <Select
        name="editHistory"
        label={t.editHistory}
        hint={t.editHistoryHint}
        defaultValue={server.editHistory}
        options={[
          { value: 'moderators', label: t.editHistoryModerators },
          { value: 'everyone', label: t.editHistoryEveryone },
        ]}
        disabled={isClosed}
      />
      {mayKeep.allowed && <RetentionField defaultValue={server.retentionDays} hint={t.retentionHint} />}
    </Form>
  );
}
