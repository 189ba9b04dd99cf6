import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { flagsOf } from '../../../may/flags.ts';
import { useAsk, useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { roleSettings as t } from '../../../strings/en/roleSettings.ts';
import { Avatar, Button, TextField, useRested } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/index.ts';
import { Closed, Facts, Row, Rows, ruleInWords } from '../../settings/index.ts';
import { useGrants, useLiveMembers, usePages } from '../../settings/server/index.ts';

/** Those who have a role, to take it; and by a search all members of the server, to give it. */
export function RoleMembers({ role }: { role: Records['Role'] }) {
  const { serverId } = role;
  const [text, setText] = useState('');
  const q = useRested(text.trim());
  const may = useMay(serverId, 'userRole insert', {}, { holdsFlags: { flags: flagsOf(role) } });
  const pages = usePages(
    `${serverId} ${q}`,
    (cursor) =>
      api(serverId).serverMembers({ serverId, cursor, limit: 50, ...(q ? { q } : { roleIds: role.id }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const read = useLiveMembers(serverId, pages, false);
  const all = useRows('serverMember', 'serverId', serverId);
  const given = q === '' ? all.filter(({ roleIds }) => roleIds.includes(role.id)) : [];
  // Those from whom it was just taken stay where they are.
  const members = [...new Set([...read, ...given])].sort((one, other) => (one.id < other.id ? -1 : 1));
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
        empty={{ icon: 'users', title: q ? t.nobody : t.nobodyHasIt }}
      >
        {members.map((member) => {
          const has = grants.has(member, role.id);
          const hasAdministrator = !role.canAdmin || areLeft({ userId: member.userId, roleId: role.id });
          const take = ask('userRole delete', {}, { administrable: { hasAdministrator } });
          const isKept = may.allowed && has && !take.allowed;
          return (
            <Row
              key={member.id}
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
                may.allowed ? (
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
        })}
      </Rows>
    </div>
  );
}
