import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { usePages } from '../../api/pages.ts';
import { common } from '../../strings/en/common.ts';
import { platform as t } from '../../strings/en/platform.ts';
import { bytes, number, shortTime } from '../../strings/format.ts';
import { Avatar, Badge, Confirm, IconButton, TextField, toast, useRested, WithName } from '../../ui/index.ts';
import { withProof } from '../session/index.ts';
import { Page } from '../settings/index.ts';
import { PagedTable } from './PagedTable.tsx';

type PlatformServer = Records['PlatformServer'];

/** All servers with their sizes, but none of their content. */
export function Servers() {
  const [typed, setTyped] = useState('');
  const [deleted, setDeleted] = useState<PlatformServer>();
  const name = useRested(typed.trim());
  const pages = usePages<PlatformServer>(
    name,
    (cursor) => api('none').platformServers({ limit: 50, ...(name && { name }), ...(cursor && { cursor }) }),
    { isSearch: true },
  );
  return (
    <Page title={t.sections.servers} lead={t.servers.lead}>
      <TextField
        label={t.servers.search}
        type="search"
        placeholder={t.servers.searchHint}
        value={typed}
        onText={setTyped}
        spellCheck={false}
      />
      <PagedTable
        label={t.sections.servers}
        pages={pages}
        empty={{ icon: 'server', title: t.servers.none }}
        columns={[
          { key: 'name', label: t.servers.server, show: (server) => <Name server={server} /> },
          {
            key: 'members',
            label: t.servers.members,
            isNumber: true,
            show: ({ memberCount }) => number(memberCount),
          },
          { key: 'files', label: t.servers.files, isNumber: true, show: ({ fileBytes }) => bytes(fileBytes) },
          { key: 'since', label: t.servers.since, show: ({ createdAt }) => shortTime(createdAt) },
          {
            key: 'acts',
            label: t.actions,
            isActions: true,
            show: (server) => (
              <IconButton
                size="small"
                icon="trash"
                label={common.deleteNamed({ name: server.name })}
                onClick={() => setDeleted(server)}
              />
            ),
          },
        ]}
      />
      {deleted && (
        <DeleteServer
          server={deleted}
          onDone={() => pages.put(deleted.id, undefined)}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </Page>
  );
}

const Name = ({ server: { id, name, private: isPrivate } }: { server: PlatformServer }) => (
  <span className="platform-who-cell">
    <Avatar id={id} name={name} size={32} isServer />
    <span className="platform-name">
      <bdi>{name}</bdi>
      {isPrivate && <Badge>{common.private}</Badge>}
    </span>
  </span>
);

interface DeleteServerProps {
  server: PlatformServer;
  onDone: () => void;
  onClose: () => void;
}

function DeleteServer({ server: { id, name, memberCount }, onDone, onClose }: DeleteServerProps) {
  return (
    <Confirm
      title={<WithName words={common.deleteNamed} values={{ name }} />}
      text={t.servers.deleteMore({ members: memberCount })}
      action={t.servers.delete}
      typed={name}
      isDanger
      onConfirm={async () => {
        await withProof(() => api('none').platformServerDelete({ id, name }));
        onDone();
        toast.show(t.servers.deleted({ name }), { kind: 'good' });
      }}
      onClose={onClose}
    />
  );
}
