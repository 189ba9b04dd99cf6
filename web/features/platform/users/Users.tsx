import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { usePages } from '../../../api/pages.ts';
import { common } from '../../../strings/en/common.ts';
import { platform as t } from '../../../strings/en/platform.ts';
import { shortTime } from '../../../strings/format.ts';
import {
  Avatar,
  Badge,
  Choice,
  IconButton,
  Menu,
  type MenuItem,
  TextField,
  useRested,
} from '../../../ui/index.ts';
import { lastAdminId, useAccount } from '../../session/index.ts';
import { Page } from '../../settings/index.ts';
import { PagedTable } from '../PagedTable.tsx';
import { type Among, type PlatformUser, usersPage } from './find.ts';
import { type Act, acts, UserAct } from './UserAct.tsx';

const amongs = ['all', 'admins', 'suspended'] as const satisfies Among[];

/** All users, with search and actions. */
export function Users() {
  const [typed, setTyped] = useState('');
  const [among, setAmong] = useState<Among>('all');
  const [act, setAct] = useState<{ user: PlatformUser; kind: Act }>();
  const text = useRested(typed.trim());
  const pages = usePages(`${among} ${text}`, (cursor) => usersPage(text, among, cursor), {
    isSearch: true,
  });
  const last = useAsked('last admin', lastAdminId);

  return (
    <Page title={t.sections.users} lead={t.users.lead}>
      <Filters {...{ typed, among }} onTyped={setTyped} onAmong={setAmong} />
      <PagedTable
        label={t.sections.users}
        pages={pages}
        empty={{ icon: 'users', title: t.users.none, text: t.users.noneMore }}
        columns={[
          { key: 'name', label: t.users.user, show: (user) => <Who user={user} /> },
          { key: 'state', label: t.users.state, show: (user) => <State user={user} /> },
          { key: 'since', label: t.users.since, show: ({ createdAt }) => shortTime(createdAt) },
          {
            key: 'acts',
            label: t.actions,
            isActions: true,
            show: (user) => (
              <ActsMenu user={user} lastAdminId={last.data} onAct={(kind) => setAct({ user, kind })} />
            ),
          },
        ]}
      />
      {act && (
        <UserAct
          key={act.kind}
          {...act}
          onChange={(user) => {
            pages.put(user.id, user);
            void last.again();
          }}
          onClose={() => setAct(undefined)}
        />
      )}
    </Page>
  );
}

interface FiltersProps {
  typed: string;
  among: Among;
  onTyped: (typed: string) => void;
  onAmong: (among: Among) => void;
}

const Filters = ({ typed, among, onTyped, onAmong }: FiltersProps) => (
  <div className="platform-filters">
    <TextField
      label={t.users.search}
      type="search"
      placeholder={t.users.searchHint}
      value={typed}
      onText={onTyped}
      spellCheck={false}
    />
    <Choice<Among>
      label={t.users.among}
      isLabelHidden
      options={amongs.map((value) => ({ value, label: t.users.amongs[value] }))}
      value={among}
      onValue={onAmong}
    />
  </div>
);

interface ActsMenuProps {
  user: PlatformUser;
  /** The ID of the only remaining admin, who can't be demoted. */
  lastAdminId: string | null | undefined;
  onAct: (kind: Act) => void;
}

function ActsMenu({ user, lastAdminId, onAct }: ActsMenuProps) {
  const account = useAccount();
  const myId = account.state === 'in' ? account.me.id : '';
  const items = (): MenuItem[] =>
    acts
      .filter(({ fits }) => fits(user, myId))
      .flatMap(({ kind, icon, isDanger }): MenuItem[] => {
        const isDisabled = kind === 'endAdmin' && user.id === lastAdminId;
        return [
          isDanger && 'line',
          isDisabled && { heading: t.users.lastAdmin },
          { label: t.users.acts[kind], icon, isDanger, isDisabled, onSelect: () => onAct(kind) },
        ];
      });
  return (
    <Menu label={t.users.actsOf({ name: user.name })} items={items}>
      {(trigger) => (
        <IconButton {...trigger} size="small" icon="ellipsis" label={t.users.actsOf({ name: user.name })} />
      )}
    </Menu>
  );
}

const Who = ({ user: { id, name, username, image, type } }: { user: PlatformUser }) => (
  <span className="platform-who-cell">
    <Avatar id={id} name={name} src={image} isAgent={type === 'agent'} size={32} />
    <span>
      <bdi>{name}</bdi>
      <br />
      <bdi className="platform-muted">@{username}</bdi>
    </span>
  </span>
);

const State = ({ user: { type, platformAdmin, suspendedAt } }: { user: PlatformUser }) => (
  <span className="platform-badges">
    {suspendedAt !== null && <Badge kind="bad">{t.users.suspended}</Badge>}
    {platformAdmin && <Badge kind="accent">{t.users.admin}</Badge>}
    {type === 'agent' && <Badge>{common.agent}</Badge>}
    {suspendedAt === null && !platformAdmin && type === 'person' && (
      <span className="platform-muted">{t.users.active}</span>
    )}
  </span>
);
