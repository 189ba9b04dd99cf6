import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { Badge, Button, Copy, Icon, type MenuItem, toast, WithName } from '../../../ui/index.ts';
import { Closed, Facts, Group, Row, Rows } from '../../settings/index.ts';
import { Ask, RowMenu, useServerList } from '../../settings/server/index.ts';

type App = Records['App'];

interface OwnAppsProps {
  serverId: string;
  /** The IDs of the installed apps loaded so far. */
  installed: ReadonlySet<string>;
  may: { write: Permission; install: boolean; secrets: boolean };
  onAsk: (asking: { act: 'new' } | { act: 'edit' | 'installOwn' | 'secret'; app: App }) => void;
}

export function OwnApps({ serverId, installed, may, onAsk }: OwnAppsProps) {
  const { pages, rows } = useServerList('app', serverId, (cursor) =>
    api(serverId).appsByServer({ serverId, cursor, limit: 100 }),
  );
  return (
    <Group
      title={t.own}
      lead={t.ownLead}
      action={
        may.write.allowed && (
          <Button icon="plus" onClick={() => onAsk({ act: 'new' })}>
            {t.create}
          </Button>
        )
      }
    >
      <Closed permission={may.write} what={common.viewOnly} />
      <Rows
        label={t.own}
        pages={pages}
        count={rows.length}
        empty={{ icon: 'plug', title: t.noOwn, text: t.noOwnMore }}
      >
        {rows.map((app) => (
          <AppRow
            key={app.id}
            app={app}
            may={may}
            isInstalled={installed.has(app.id)}
            onAsk={(act) => onAsk({ act, app })}
          />
        ))}
      </Rows>
    </Group>
  );
}

interface AppRowProps {
  app: App;
  may: OwnAppsProps['may'];
  isInstalled: boolean;
  onAsk: (act: 'edit' | 'installOwn' | 'secret') => void;
}

function AppRow({ app, may, isInstalled, onAsk }: AppRowProps) {
  const [asking, setAsking] = useState<'submit' | 'delete'>();
  const name = app.name ?? t.nameless;
  const isSubmitted = app.verified !== null;
  const items: MenuItem[] = [
    may.install && {
      label: t.install,
      icon: 'download',
      ...(isInstalled && { isDisabled: true, note: t.isInstalled }),
      onSelect: () => onAsk('installOwn'),
    },
    may.write.allowed && { label: serverSettings.edit, icon: 'pencil', onSelect: () => onAsk('edit') },
    may.secrets && { label: t.newSecret, icon: 'lock', onSelect: () => onAsk('secret') },
    may.write.allowed &&
      !isSubmitted && { label: t.submit, icon: 'upload', onSelect: () => setAsking('submit') },
    may.write.allowed && 'line',
    may.write.allowed && {
      label: common.delete,
      icon: 'trash',
      isDanger: true,
      onSelect: () => setAsking('delete'),
    },
  ];
  return (
    <Row
      mark={<Icon name="plug" />}
      title={name}
      badges={
        isSubmitted && (
          <Badge kind={app.verified ? 'good' : 'blue'}>{app.verified ? t.verified : t.submitted}</Badge>
        )
      }
      note={
        <Facts
          of={[
            app.version && t.version({ version: app.version }),
            app.description,
            isSubmitted && t.installs({ count: app.installCount ?? 0 }),
          ]}
        />
      }
      actions={
        <>
          <Copy text={app.id} label={t.copyId} />
          {items.some(Boolean) && <RowMenu name={name} items={items} />}
        </>
      }
    >
      {asking && (
        <AskAbout act={asking} app={app} permission={may.write} onClose={() => setAsking(undefined)} />
      )}
    </Row>
  );
}

interface AskAboutProps {
  act: 'submit' | 'delete';
  app: App;
  permission: Permission;
  onClose: () => void;
}

function AskAbout({ act, app: { id, serverId, name }, permission, onClose }: AskAboutProps) {
  const title = (
    <WithName words={act === 'submit' ? t.askSubmit : t.askDelete} values={{ name: name ?? t.nameless }} />
  );
  const asking = { permission, title, onClose };
  return act === 'submit' ? (
    <Ask
      {...asking}
      text={t.submitMore}
      action={t.submit}
      onConfirm={async () => {
        await api(serverId).appSubmit({ id });
        toast.show(t.submittedNow, { kind: 'good' });
      }}
    />
  ) : (
    <Ask
      {...asking}
      text={t.deleteMore}
      action={common.delete}
      isDanger
      onConfirm={() => api(serverId).appDelete({ appId: id })}
      done={t.deleted}
    />
  );
}
