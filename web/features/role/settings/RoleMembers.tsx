import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { flagsOf } from '../../../may/flags.ts';
import { type Permission, useAsk, useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { serverSettings, roleSettings as t } from '../../../strings/en/serverSettings.ts';
import { Avatar, Button, TextField, useRested } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/administrators/index.ts';
import { Closed, Facts, Row, Rows, ruleInWords } from '../../settings/index.ts';
import { type Grants, useGrants, useLiveMembers, usePages } from '../../settings/server/index.ts';

/**
 * The role's members, each with a button to remove the role. A search also finds other members, to whom the
 * role can be assigned.
 */
export function RoleMembers({ role }: { role: Records['Role'] }) {
  const { serverId } = role;
  const [text, setText] = useState('');
  const q = useRested(text.trim());
  const may = useMay(serverId, 'userRole insert', {}, { holdsFlags: { flags: flagsOf(role) } });
  const { pages, members } = useMembers(role, q);
  const grants = useGrants(serverId);
  const areLeft = useAdministrators(serverId, role.canAdmin);
  const ask = useAsk(serverId);
  return (
    <div className="setting-rows-frame">
      <Closed permission={may} />
      <TextField type="search" label={t.find} hint={t.findHint} value={text} onText={setText} />
      <Rows
        label={t.members}
        pages={pages}
        count={members.length}
        empty={{ icon: 'users', title: q ? serverSettings.nobody : t.nobodyHasIt }}
      >
        {members.map((member) => {
          const hasAdministrator = !role.canAdmin || areLeft({ userId: member.userId, roleId: role.id });
          const take = ask('userRole delete', {}, { administrable: { hasAdministrator } });
          return <HolderRow key={member.id} {...{ member, role, grants, take }} isClosed={!may.allowed} />;
        })}
      </Rows>
    </div>
  );
}

/** The role's members. With a search, all matching members. */
function useMembers({ id: roleId, serverId }: Records['Role'], q: string) {
  const pages = usePages(
    `${serverId} ${q}`,
    (cursor) =>
      api(serverId).serverMembers({ serverId, cursor, limit: 50, ...(q ? { q } : { roleIds: roleId }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const read = useLiveMembers(serverId, pages, false);
  const all = useRows('serverMember', 'serverId', serverId);
  const given = q === '' ? all.filter(({ roleIds }) => roleIds.includes(roleId)) : [];
  // Members who just lost the role stay in the list.
  const members = [...new Set([...read, ...given])].sort((one, other) => (one.id < other.id ? -1 : 1));
  return { pages, members };
}

interface HolderRowProps {
  member: Records['ListedServerMember'];
  role: Records['Role'];
  grants: Grants;
  take: Permission;
  isClosed: boolean;
}

/** A member, with a button that assigns or removes the role. */
function HolderRow({ member, role, grants, take, isClosed }: HolderRowProps) {
  const has = grants.has(member, role.id);
  const isKept = !isClosed && has && !take.allowed;
  return (
    <Row
      mark={
        <Avatar
          id={member.userId}
          name={member.user.name}
          src={member.user.image}
          isAgent={member.user.type === 'agent'}
        />
      }
      title={member.nickname ?? member.user.name}
      note={<Facts of={[`@${member.user.username}`, isKept && ruleInWords(take)]} />}
      actions={
        !isClosed ? (
          <Button
            size="small"
            kind={has ? 'quiet' : 'plain'}
            disabled={isKept}
            onClick={() => grants.set(member, role, !has)}
          >
            {has ? t.take : t.give}
          </Button>
        ) : (
          has && t.hasIt
        )
      }
    />
  );
}
