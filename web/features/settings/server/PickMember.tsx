import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { serverSettings as t } from '../../../strings/en/serverSettings.ts';
import { Avatar, Button, TextField, useRested } from '../../../ui/index.ts';
import { Row, Rows } from '../index.ts';
import { usePages } from './usePages.ts';

type Member = Records['ListedServerMember'];

interface PickMemberProps {
  serverId: string;
  /** Members for which this returns false are hidden. */
  isChoosable?: (member: Member) => boolean;
  onPick: (member: Member) => void;
}

/** Searches for a member and lets the user select them. */
export function PickMember({ serverId, isChoosable = () => true, onPick }: PickMemberProps) {
  const [text, setText] = useState('');
  const q = useRested(text.trim());
  const members = usePages(
    `${serverId} ${q}`,
    (cursor) => api(serverId).serverMembers({ serverId, cursor, limit: 20, ...(q && { q }) }),
    (page) => ({ serverMember: page, user: page.map(({ user }) => user) }),
  );
  const rows = members.pages.flat().filter(isChoosable);
  return (
    <div className="setting-rows-frame">
      <TextField type="search" label={t.findMember} value={text} onText={setText} />
      <Rows
        label={t.sections.members}
        pages={members}
        count={rows.length}
        empty={{ icon: 'search', title: t.nobody, text: t.noMemberMore }}
      >
        {rows.map((member) => (
          <Row
            key={member.id}
            mark={<Avatar id={member.userId} name={member.user.name} src={member.user.image} />}
            title={member.nickname ?? member.user.name}
            note={<bdi>@{member.user.username}</bdi>}
            actions={
              <Button
                size="small"
                aria-label={t.chooseNamed({ name: member.nickname ?? member.user.name })}
                onClick={() => onPick(member)}
              >
                {t.choose}
              </Button>
            }
          />
        ))}
      </Rows>
    </div>
  );
}
