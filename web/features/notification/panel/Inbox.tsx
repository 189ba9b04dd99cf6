import { useMemo, useState } from 'react';
import { useNotifications, useServers } from '../../../replica/hooks.ts';
import { notification as t } from '../../../strings/en/frame.ts';
import { Empty, List, Select } from '../../../ui/index.ts';
import { keepInTab, keptInTab } from '../../../ui/keptInTab.ts';
import { More } from '../../../ui/More.tsx';
import { DeviceNotices } from '../DeviceNotices.tsx';
import { useDeviceState } from '../device.ts';
import { InboxRow } from './InboxRow.tsx';
import { type Kind, useAllPages } from './useAllPages.ts';
import './Inbox.css';

/** The storage key of the selected kind. */
const KEPT = 'inbox-kind';

const options = (Object.keys(t.kinds) as Kind[]).map((value) => ({ value, label: t.kinds[value] }));

/**
 * The notifications from all servers: mentions, replies to the user, replies in threads that they follow, direct
 * messages, and reactions to their messages. Shows all of them or one kind.
 */
export function Inbox() {
  const servers = useServers();
  const ids = useMemo(() => servers.map(({ id }) => id), [servers]);
  const [kind, setKind] = useState<Kind>(() => keptInTab<Kind>(KEPT) ?? 'all');
  const show = (next: Kind) => {
    keepInTab(KEPT, next === 'all' ? undefined : next);
    setKind(next);
  };
  const { pages, oldest, excerpts } = useAllPages(ids, kind);
  const all = useNotifications();
  // Hides notifications older than the shortest loaded range, because another server may still have newer
  // ones to load.
  const shown = useMemo(
    () =>
      all.filter(({ id, type }) => id >= oldest && (kind === 'all' || kind === 'unread' || type === kind)),
    [all, oldest, kind],
  );
  const state = useDeviceState();
  return (
    <>
      {(state === 'unasked' || state === 'refused') && (
        <div className="inbox-device">
          <DeviceNotices />
        </div>
      )}
      <div className="inbox-kinds">
        <Select label={t.show} isLabelHidden options={options} value={kind} onValue={show} />
      </div>
      {shown.length === 0 && pages.isWhole ? (
        <Empty
          icon="inbox"
          title={kind === 'all' || kind === 'unread' ? t.none : t.noneOfKind}
          text={t.noneMore}
        />
      ) : (
        <List className="side-panel-list" label={t.inbox} hasTypeahead={false}>
          {shown.map((one) => (
            <InboxRow
              key={one.id}
              notification={one}
              excerpt={excerpts.get(one.messageId)}
              onlyUnread={kind === 'unread'}
            />
          ))}
        </List>
      )}
      <More pages={pages} />
    </>
  );
}
