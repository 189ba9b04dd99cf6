import { useEffect, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useRow, useSession } from '../../replica/hooks.ts';
import { reaction as t } from '../../strings/en/reaction.ts';
import { Avatar, Dialog, ErrorText, Spinner, Tabs } from '../../ui/index.ts';
import { type Reactors, readReactors } from './reactors.ts';

/** Everybody who reacted to a message, by emoji. */
export function WhoReacted({ message, onClose }: { message: Records['ShownMessage']; onClose: () => void }) {
  const session = useSession();
  const { id, serverId } = message;
  const [reactors, setReactors] = useState<Reactors>();
  const [error, setError] = useState<unknown>();
  const [selected, setSelected] = useState(message.reactions[0]?.emoji ?? '');
  const read = () => {
    setError(undefined);
    readReactors(session, serverId, id).then(setReactors, setError);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(read, []);
  const tabs = message.reactions.map(({ emoji, count }) => ({ id: emoji, label: emoji, count }));
  return (
    <Dialog title={t.whoReacted} size="s" onClose={onClose}>
      {error !== undefined && <ErrorText error={error} onAgain={read} />}
      {!reactors && error === undefined && <Spinner label={t.loading} />}
      {reactors && tabs.length === 0 && <p>{t.nobody}</p>}
      {reactors && tabs.length > 0 && (
        <Tabs label={t.reactions} tabs={tabs} selected={selected} onSelect={setSelected}>
          <ul className="reactors">
            {reactors
              .filter(({ emoji }) => emoji === selected)
              .map((one) => (
                <Reactor key={one.id} userId={one.userId} />
              ))}
          </ul>
        </Tabs>
      )}
    </Dialog>
  );
}

function Reactor({ userId }: { userId: string }) {
  const user = useRow('user', userId);
  return (
    <li className="reactor">
      <Avatar
        id={userId}
        name={user?.name ?? ''}
        src={user?.image}
        size={28}
        isAgent={user?.type === 'agent'}
      />
      <bdi>{user?.name ?? t.somebody}</bdi>
    </li>
  );
}
