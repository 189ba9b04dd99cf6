import { useRef, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { reaction as t } from '../../strings/en/conversation.ts';
import { Avatar, Dialog, Tabs } from '../../ui/index.ts';
import { More } from '../../ui/More.tsx';
import { usePages } from '../../ui/usePages.ts';
import { EmojiFace, useCustomEmoji } from '../emoji/index.ts';
import { useBeside } from '../member/index.ts';
import { readReactors } from './reactors.ts';

/** Everyone who reacted to a message, by emoji. */
export default function WhoReacted({
  message,
  onClose,
}: {
  message: Records['ShownMessage'];
  onClose: () => void;
}) {
  const { reactions } = message;
  const custom = useCustomEmoji(message.serverId);
  const [chosen, setSelected] = useState('');
  // All reactions with the selected emoji may have been removed in the meantime.
  const selected = (reactions.find(({ emoji }) => emoji === chosen) ?? reactions[0])?.emoji;
  const tabs = reactions.map(({ emoji, count }) => ({
    id: emoji,
    label: <EmojiFace text={emoji} custom={custom} />,
    count,
  }));
  return (
    <Dialog title={t.whoReacted} size="s" onClose={onClose}>
      {selected === undefined ? (
        <p>{t.nobody}</p>
      ) : (
        <Tabs label={t.reactions} tabs={tabs} selected={selected} onSelect={setSelected}>
          <Reactors key={selected} message={message} emoji={selected} />
        </Tabs>
      )}
    </Dialog>
  );
}

/** The users who reacted with one emoji, in pages. Reloaded when their number changes. */
function Reactors({ message, emoji }: { message: Records['ShownMessage']; emoji: string }) {
  const session = useSession();
  const { id, serverId, reactions } = message;
  const count = reactions.find((one) => one.emoji === emoji)?.count ?? 0;
  const [userIds, setUserIds] = useState<readonly string[]>([]);
  const before = useRef(userIds);
  const pages = usePages(`${count}`, async (cursor, isFirst) => {
    const page = await readReactors(session, { serverId, messageId: id, emoji }, { cursor });
    before.current = [...(isFirst ? [] : before.current), ...page.map(({ userId }) => userId)];
    setUserIds(before.current);
    return page.nextCursor;
  });
  return (
    <>
      <ul className="reactors">
        {userIds.map((userId) => (
          <Reactor key={userId} serverId={serverId} userId={userId} />
        ))}
      </ul>
      <More pages={pages} />
    </>
  );
}

function Reactor({ serverId, userId }: { serverId: string; userId: string }) {
  const { user, name } = useBeside(serverId, userId, common.somebody);
  return (
    <li className="reactor">
      <Avatar id={userId} name={name} src={user?.image} size={28} isAgent={user?.type === 'agent'} />
      <bdi>{name}</bdi>
    </li>
  );
}
