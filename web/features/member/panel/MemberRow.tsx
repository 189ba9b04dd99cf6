import { memo } from 'react';
import type { Records } from '../../../api/records.ts';
import type { Presence } from '../../../replica/types.ts';
import { common } from '../../../strings/en/common.ts';
import { member as t } from '../../../strings/en/panels.ts';
import { Avatar, Badge } from '../../../ui/index.ts';
import { LookAlike } from '../LookAlike.tsx';
import { showProfile } from '../profile.ts';
import { nameOf } from './groups.ts';

interface MemberRowProps {
  member: Records['ListedServerMember'];
  presence: Presence | undefined;
}

/** A member in the list. A click opens their profile. */
export const MemberRow = memo(function MemberRow({ member, presence }: MemberRowProps) {
  const { user } = member;
  const isAgent = user.type === 'agent';
  const isAway = !isAgent && (presence === undefined || presence.status === 'offline');
  return (
    <li>
      <button
        type="button"
        className={isAway ? 'member-row member-row-away' : 'member-row'}
        data-item
        onClick={(event) => showProfile(member.userId, event.currentTarget)}
      >
        <Avatar
          id={user.id}
          name={user.name}
          src={user.image}
          size={32}
          isAgent={isAgent}
          {...(presence && { presence: presence.status })}
        />
        <span className="member-row-names">
          <bdi className="member-row-name">{nameOf(member)}</bdi>
          {presence?.text && <bdi className="tiny muted">{presence.text}</bdi>}
          {member.unclaimed && <span className="tiny muted">{t.unclaimed}</span>}
        </span>
        <LookAlike of={member} />
        {isAgent && <Badge>{common.agent}</Badge>}
      </button>
    </li>
  );
});
