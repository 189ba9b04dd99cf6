import { useMemo } from 'react';
import { useNotifications, useServers } from '../../../replica/hooks.ts';
import { notification as t } from '../../../strings/en/frame.ts';
import { Empty, List } from '../../../ui/index.ts';
import { More } from '../../../ui/More.tsx';
import { DeviceNotices } from '../DeviceNotices.tsx';
import { useDeviceState } from '../device.ts';
import { InboxRow } from './InboxRow.tsx';
import { useAllPages } from './useAllPages.ts';
import './Inbox.css';

/**
 * The notifications from all servers: mentions, replies to the user, and replies in threads that they
 * follow.
 */
export function Inbox() {
  const servers = useServers();
  const ids = useMemo(() => servers.map(({ id }) => id), [servers]);
  const { pages, oldest, excerpts } = useAllPages(ids);
  const all = useNotifications();
  // Hides notifications older than the shortest loaded range, because another server may still have newer
  // ones to load.
  const shown = useMemo(() => all.filter(({ id }) => id >= oldest), [all, oldest]);
  const state = useDeviceState();
  return (
    <>
      {(state === 'unasked' || state === 'refused') && (
        <div className="inbox-device">
          <DeviceNotices />
        </div>
      )}
      {shown.length === 0 && pages.isWhole ? (
        <Empty icon="inbox" title={t.none} text={t.noneMore} />
      ) : (
        <List className="side-panel-list" label={t.inbox} hasTypeahead={false}>
          {shown.map((one) => (
            <InboxRow key={one.id} notification={one} excerpt={excerpts.get(one.messageId)} />
          ))}
        </List>
      )}
      <More pages={pages} />
    </>
  );
}
