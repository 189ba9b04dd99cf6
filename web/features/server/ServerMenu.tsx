import { useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useServer } from '../../replica/hooks.ts';
import { navigate } from '../../routes.ts';
import { server as t } from '../../strings/en/server.ts';
import { Confirm, Icon, Menu, type MenuItem } from '../../ui/index.ts';
import { InviteDialog } from '../invite/index.tsx';
import './ServerMenu.css';

/** The name of the server above its channels; it opens what one does with the server. */
export function ServerMenu({ server }: { server: Records['Server'] }) {
  const { id: serverId, name, memberCount } = server;
  const { readAll } = useActions();
  const { state } = useServer(serverId);
  const mayInvite = useMay(serverId, 'invite insert').allowed;
  const [shown, setShown] = useState<'invite' | 'leave'>();
  const close = () => setShown(undefined);
  const items: MenuItem[] = [
    mayInvite && { label: t.invite, icon: 'user-plus', onSelect: () => setShown('invite') },
    { label: t.settings, icon: 'settings', onSelect: () => navigate({ page: 'serverSettings', serverId }) },
    { label: t.readAll, icon: 'check', onSelect: () => readAll(serverId) },
    !state?.standing.isServerCreator && {
      label: t.leave,
      icon: 'log-out',
      isDanger: true,
      onSelect: () => setShown('leave'),
    },
  ];
  return (
    <>
      <Menu label={t.menu(name)} items={items}>
        {(trigger) => (
          <button
            type="button"
            className="server-menu"
            aria-label={t.menuWith(name, memberCount)}
            {...trigger}
          >
            <bdi className="server-menu-name">{name}</bdi>
            <span className="server-menu-members">{t.members(memberCount)}</span>
            <Icon name="chevron-down" size={16} />
          </button>
        )}
      </Menu>
      {shown === 'invite' && <InviteDialog serverId={serverId} onClose={close} />}
      {shown === 'leave' && (
        <Confirm
          title={t.leaveAsk(name)}
          text={t.leaveMore}
          action={t.leave}
          isDanger
          onConfirm={() => api(serverId).serverLeave({ id: serverId })}
          onClose={close}
        />
      )}
    </>
  );
}
