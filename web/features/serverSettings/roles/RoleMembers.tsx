import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { roleSettings as t } from '../../../strings/en/roleSettings.ts';
import { Avatar, Button, TextField, useRested } from '../../../ui/index.ts';
import { Closed, Row, Rows } from '../../settings/index.ts';
import { useGrants } from '../parts/useGrants.ts';
import { useLiveMembers } from '../parts/useLiveMembers.ts';
import { usePages } from '../parts/usePages.ts';
import { flagsOf } from './flags.ts';

/** The members of a server, those with a role marked: to give it, and to take it. */
export function RoleMembers({ role }: { role: Records['Role'] }) {
  const { serverId } = role;
  const [text, setText] = useState('');
  const q = useRested(text.trim());
  const may = useMay(serverId, 'userRole insert', {}, { holdsFlags: { flags: flagsOf(role) } });
  const pages = usePages(
    `${serverId} ${q}`,
    (cursor) => api(serverId).serverMembers({ serverId, cursor, limit: 50, ...(q && { q }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const members = useLiveMembers(serverId, pages, q);
  const grants = useGrants(serverId);
  return (
    <div className="setting-rows-frame">
      <Closed permission={may} />
      <TextField type="search" label={t.find} value={text} onText={setText} />
      <Rows label={t.members} pages={pages} count={members.length} empty={{ icon: 'users', title: t.nobody }}>
        {members.map((member) => {
          const has = grants.has(member, role.id);
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
              note={<bdi>@{member.user.username}</bdi>}
              actions={
                may.allowed ? (
                  <Button
                    size="small"
                    kind={has ? 'quiet' : 'plain'}
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
