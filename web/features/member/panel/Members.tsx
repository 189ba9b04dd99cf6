import { useEffect, useMemo, useRef, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useActions, useEpoch, usePresences, useRows } from '../../../replica/hooks.ts';
import { member as t } from '../../../strings/en/panels.ts';
import { number } from '../../../strings/format.ts';
import { Empty, hasMouse, List, TextField, useRested } from '../../../ui/index.ts';
import { More } from '../../../ui/More.tsx';
import { usePages } from '../../../ui/usePages.ts';
import { membersIn } from '../useMember.ts';
import { type Group, groupsOf } from './groups.ts';
import { MemberRow } from './MemberRow.tsx';
import './Members.css';

const PAGE = 100;

/** The members of a server, those who are online first. Loads more on scroll. */
export function Members({ serverId }: { serverId: string }) {
  const { load } = useActions();
  const epoch = useEpoch(serverId);
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  // Moves the focus only if the user opened the panel, because a reload must not move it.
  useEffect(() => {
    if (hasMouse() && document.activeElement?.closest('.side-panel'))
      field.current?.focus({ preventScroll: true });
  }, []);
  const [found, setFound] = useState<readonly string[]>([]);
  const q = useRested(words.trim());
  const pages = usePages(`${serverId} ${epoch} ${q}`, async (cursor, isFirst) => {
    const page = await load(
      () =>
        api(serverId).serverMembers({
          serverId,
          limit: PAGE,
          ...(q !== '' && { q }),
          ...(cursor !== undefined && { cursor }),
        }),
      membersIn,
    );
    const ids = page.map(({ id }) => id);
    setFound((before) => (isFirst ? ids : [...before, ...ids]));
    return page.nextCursor;
  });
  const held = useRows('serverMember', 'serverId', serverId);
  const members = useMemo(() => {
    const wanted = new Set(found);
    return q === '' ? held : held.filter(({ id }) => wanted.has(id));
  }, [held, found, q]);
  return (
    <>
      <search className="side-panel-tools">
        <TextField
          label={t.search}
          isLabelHidden
          ref={field}
          type="search"
          placeholder={t.search}
          value={words}
          onText={setWords}
        />
      </search>
      <MemberGroups serverId={serverId} members={members} isWhole={pages.isWhole} />
      {members.length === 0 && pages.isWhole && <Empty icon="users" title={t.none} text={t.noneMore} />}
      <More pages={pages} />
      <p className="only-read" role="status">
        {q !== '' && pages.isWhole && t.found({ count: members.length })}
      </p>
    </>
  );
}

interface MemberGroupsProps {
  serverId: string;
  members: readonly Records['ListedServerMember'][];
  /** True if these are all members, not only those loaded so far. */
  isWhole: boolean;
}

/** Members with their presence: those who are online, agents, and those who are offline. */
export function MemberGroups({ serverId, members, isWhole }: MemberGroupsProps) {
  const userIds = useMemo(() => members.map(({ userId }) => userId), [members]);
  useWatched(serverId, userIds);
  const presences = usePresences(serverId, userIds);
  const groups = useMemo(() => groupsOf(members, presences), [members, presences]);
  return groups.map((group) => <MemberGroup key={group.kind} group={group} isWhole={isWhole} />);
}

function MemberGroup({ group, isWhole }: { group: Group; isWhole: boolean }) {
  const label = t.groups[group.kind]({ count: `${number(group.members.length)}${isWhole ? '' : '+'}` });
  return (
    <>
      <h3 className="side-panel-group">{label}</h3>
      <List className="members-list" label={label}>
        {group.members.map(({ member, presence }) => (
          <MemberRow key={member.id} member={member} presence={presence} />
        ))}
      </List>
    </>
  );
}

/**
 * Subscribes to the presence of these members. A new subscription starts before the old one ends, so
 * members in both are not requested again.
 */
function useWatched(serverId: string, userIds: readonly string[]): void {
  const { watchPresence } = useActions();
  const end = useRef<() => void>(undefined);
  useEffect(() => {
    const before = end.current;
    end.current = watchPresence(serverId, userIds);
    before?.();
  }, [watchPresence, serverId, userIds]);
  useEffect(() => () => end.current?.(), []);
}
