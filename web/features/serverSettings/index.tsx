import { useEffect } from 'react';
import { useActions, useConnection, useServer } from '../../replica/hooks.ts';
import { serverSettings as t } from '../../strings/en/serverSettings.ts';
import { Avatar, Empty } from '../../ui/index.ts';
import { PageToCome, Sections } from '../settings/index.ts';
import { groups, sections } from './sections.ts';

interface ServerSettingsProps {
  serverId: string;
  /** Undefined for the list of sections. Wide windows then show the first section next to it. */
  section?: string;
}

const labelled = groups.map(({ id, sections }) => ({
  label: t.groups[id],
  sections: sections.map(({ id, icon }) => ({ id, icon, label: t.sections[id] })),
}));

/** The settings of a server: the list of sections, and the open one. */
export default function ServerSettings({ serverId, section }: ServerSettingsProps) {
  const { server, state } = useServer(serverId);
  const { isListed } = useConnection();
  const { openServer } = useActions();
  useEffect(() => openServer(serverId), [serverId, openServer]);
  const open = sections.find(({ id }) => id === (section ?? 'overview'));
  return (
    <Sections
      title={t.title}
      groups={labelled}
      open={section}
      routeOf={(next) => ({ page: 'serverSettings', serverId, section: next })}
      back={{ label: t.back, to: { page: 'server', serverId } }}
      head={
        server && (
          <div className="sections-who">
            <Avatar id={serverId} name={server.name} src={server.icon} size={40} isServer />
            <bdi className="sections-name">{server.name}</bdi>
          </div>
        )
      }
    >
      {server && state && open ? (
        <open.Page key={serverId} serverId={serverId} />
      ) : open && (server || !isListed) ? (
        <PageToCome title={t.sections[open.id]} />
      ) : (
        <Empty icon="search" title={t.missing} text={t.missingMore} />
      )}
    </Sections>
  );
}
