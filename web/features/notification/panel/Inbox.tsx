import { useEffect, useMemo, useState } from 'react';
import { useConversations, useNotifications, useServers } from '../../../replica/hooks.ts';
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
 * The notification that the user opened last. Its row stays the tab stop when the user opens another channel or closes
 * the thread.
 */
let opened = '';
const noteOpened = (id: string) => {
  opened = id;
};

/**
 * Makes the row that was opened last, or else the first row, the tab stop. Focuses that row if the user opened the
 * panel, but not after a reload.
 */
function startAtRow(): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-notification]')];
  const start = rows.find((row) => row.dataset.notification === opened) ?? rows[0];
  for (const row of rows) row.tabIndex = row === start ? 0 : -1;
  if (document.activeElement?.matches('.side-panel')) start?.focus({ preventScroll: true });
}

/**
 * The notifications from all servers, such as mentions, replies, reactions and reminders. Shows all notifications,
 * the unread ones, or one kind. The kind `direct` contains every notification from direct messages, including
 * replies, mentions and reactions.
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
  const conversations = useConversations(ids);
  // Hides notifications older than the shortest loaded range, because another server may still have newer
  // ones to load.
  const shown = useMemo(() => {
    const loaded = all.filter(({ id }) => id >= oldest);
    if (kind === 'all' || kind === 'unread') return loaded;
    if (kind !== 'direct') return loaded.filter(({ type }) => type === kind);
    const directIds = new Set(conversations.map(({ id }) => id));
    return loaded.filter(({ channelId }) => directIds.has(channelId));
  }, [all, oldest, kind, conversations]);
  const hasRows = shown.length > 0;
  useEffect(() => {
    if (hasRows) startAtRow();
  }, [hasRows]);
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
      {!hasRows && pages.isWhole ? (
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
              onOpen={noteOpened}
            />
          ))}
        </List>
      )}
      <More pages={pages} />
    </>
  );
}
