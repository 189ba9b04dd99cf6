import type { Records } from '../../api/records.ts';
import { server as t } from '../../strings/en/frame.ts';
import { Icon, useMenu } from '../../ui/index.ts';
import { ServerMenu } from './ServerMenu.ts';
import './ServerButton.css';

/** The server's name above its channels. It opens the server's menu. */
export function ServerButton({ server }: { server: Records['Server'] }) {
  const { name, memberCount } = server;
  const { anchor, close, trigger } = useMenu();
  return (
    <>
      <button
        type="button"
        className="server-menu"
        aria-label={t.menuWith({ name, count: memberCount })}
        onPointerEnter={ServerMenu.load}
        {...trigger}
      >
        <bdi className="ellipsis server-menu-name">{name}</bdi>{' '}
        <span className="server-menu-members">{t.members({ count: memberCount })}</span>
        <Icon name="chevron-down" size={16} />
      </button>
      {anchor && <ServerMenu server={server} anchor={anchor} onClose={close} />}
    </>
  );
}
