import { base } from '../../api/base.ts';
import { navigate } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { menu as t } from '../../strings/en/frame.ts';
import { Avatar, Menu, type MenuItem, toast } from '../../ui/index.ts';
import { openPalette } from '../palette/index.ts';
import { ownPresence, useStatusItems } from '../presence/index.ts';
import { type Myself, signOut } from '../session/index.ts';

/** The user's own menu below the servers: presence, and links to their own pages. */
export function MeMenu({ me }: { me: Myself }) {
  const status = ownPresence.use()?.status ?? 'online';
  const statuses = useStatusItems();
  const items: MenuItem[] = [
    ...statuses,
    'line',
    { label: t.palette, icon: 'search', note: 'Ctrl K', onSelect: openPalette },
    { label: t.later, icon: 'bookmark', onSelect: () => navigate({ page: 'later' }) },
    { label: common.yourSettings, icon: 'settings', onSelect: () => navigate({ page: 'me' }) },
    me.platformAdmin && { label: t.platform, icon: 'server', onSelect: () => navigate({ page: 'platform' }) },
    { label: t.docs, icon: 'file-text', onSelect: () => open(`${base}/docs/`, '_blank', 'noopener') },
    'line',
    { label: common.signOut, icon: 'log-out', onSelect: () => signOut().catch(toast.error) },
  ];
  return (
    <Menu label={t.menu({ name: me.name })} items={items}>
      {(trigger) => (
        <button
          type="button"
          className="rail-me"
          aria-label={t.menu({ name: me.name })}
          data-tip={me.name}
          {...trigger}
        >
          <Avatar
            id={me.id}
            name={me.name}
            src={me.image}
            size={40}
            presence={status === 'invisible' ? 'offline' : status}
          />
        </button>
      )}
    </Menu>
  );
}
