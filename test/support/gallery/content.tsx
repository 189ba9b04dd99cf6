import { useState } from 'react';
import {
  Avatar,
  Badge,
  Button,
  Empty,
  ErrorBoundary,
  ErrorText,
  Icon,
  IconButton,
  List,
  Skeleton,
  Table,
  Tabs,
} from '../../../web/ui/index.ts';

const members = [
  { id: '1', name: 'Ada Lovelace', role: 'Owner', messages: 12_402 },
  { id: '22', name: 'Ben Ames', role: 'Member', messages: 871 },
  { id: '9', name: 'Deploy Bot', role: 'Agent', messages: 40 },
];

const channels = [
  'announcements',
  'general',
  'help',
  'ships',
  'a-channel-with-a-name-that-is-far-too-long-for-its-place',
];

function Broken({ isBroken }: { isBroken: boolean }) {
  if (isBroken) throw new Error('on purpose');
  return <p>Whole</p>;
}

function Breaking() {
  const [isBroken, setBroken] = useState(false);
  return (
    <div className="gallery-card">
      <ErrorBoundary>
        <Broken isBroken={isBroken} />
        <Button onClick={() => setBroken(true)}>Break</Button>
      </ErrorBoundary>
    </div>
  );
}

const MemberTable = () => (
  <Table
    label="Members"
    rows={members}
    keyOf={({ id }) => id}
    columns={[
      {
        key: 'name',
        label: 'Name',
        show: ({ id, name }) => (
          <span className="gallery-row">
            <Avatar id={id} name={name} size={24} /> {name}
          </span>
        ),
      },
      { key: 'role', label: 'Role', show: ({ role }) => <Badge>{role}</Badge> },
      {
        key: 'messages',
        label: 'Messages',
        isNumber: true,
        show: ({ messages }) => messages.toLocaleString('en'),
      },
      {
        key: 'actions',
        label: 'Actions',
        isActions: true,
        show: ({ name }) => <IconButton size="small" icon="ellipsis" label={`Actions for ${name}`} />,
      },
    ]}
  />
);

function ChannelList() {
  const [current, setCurrent] = useState('general');
  return (
    <div className="gallery-side">
      <List label="Channels">
        {channels.map((name) => (
          <li key={name}>
            <button
              type="button"
              data-item
              className="list-item"
              aria-current={name === current ? 'page' : undefined}
              onClick={() => setCurrent(name)}
            >
              <Icon name={name === 'announcements' ? 'megaphone' : 'hash'} />
              <span className="ellipsis">{name}</span>
              {name === 'help' && (
                <Badge kind="count" label="2 mentions">
                  2
                </Badge>
              )}
            </button>
          </li>
        ))}
      </List>
    </div>
  );
}

export function Content() {
  const [tab, setTab] = useState<'members' | 'bans' | 'loading'>('members');
  return (
    <>
      <div className="gallery-type">
        <p>Talk to each other</p>
        <p>
          The quick brown fox jumps over the lazy dog, see <a href="#x">the guide</a>, press <kbd>Ctrl K</kbd>
          , or run <code>palaver start</code>. <strong>Ada</strong> has 1,204 messages.
        </p>
        <p>Muted: 14:05, three days ago</p>
      </div>
      <Tabs
        label="People"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'members', label: 'Members', icon: 'users', count: 3 },
          { id: 'bans', label: 'Bans', icon: 'ban' },
          { id: 'loading', label: 'Loading' },
        ]}
      >
        {tab === 'members' && <MemberTable />}
        {tab === 'bans' && (
          <Empty icon="ban" title="No bans" text="You can ban people on the members page.">
            <Button size="small">Read the guide</Button>
          </Empty>
        )}
        {tab === 'loading' && (
          <div className="gallery-row">
            <Skeleton width="2.25rem" height="2.25rem" isRound />
            <Skeleton width="12rem" />
          </div>
        )}
      </Tabs>
      <ChannelList />
      <ErrorText onAgain={() => undefined}>
        Couldn't reach the server. Check your connection and try again.
      </ErrorText>
      <Breaking />
    </>
  );
}
