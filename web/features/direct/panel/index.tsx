import { useMemo } from 'react';
import type { Records } from '../../../api/index.ts';
import { useMembers } from '../../../replica/hooks.ts';
import { direct as t } from '../../../strings/en/frame.ts';
import { list } from '../../../strings/format.ts';
import { Button } from '../../../ui/index.ts';
import { useBeside } from '../../member/index.ts';
import { MemberGroups } from '../../member/panel/index.tsx';
import { useUserId } from '../../session/index.ts';
import { addPeople } from '../dialog.tsx';
import { useOthers } from '../names.ts';
import { hasRoom } from '../room.ts';

const nobody: readonly string[] = [];

/** The members of a direct message. */
export function DirectMembers({ channel }: { channel: Records['Channel'] }) {
  const { serverId, memberIds } = channel;
  const others = useOthers(channel);
  // Requests the user's own membership, as `useOthers` does for the other members.
  useBeside(serverId, useUserId(), '');
  const loaded = useMembers(serverId, memberIds ?? nobody);
  const members = useMemo(() => loaded.filter((one) => one !== undefined), [loaded]);
  const gone = others.filter(({ hasLeft }) => hasLeft).map(({ name }) => name);
  return (
    <>
      {hasRoom(channel) && (
        <div className="side-panel-tools">
          <Button icon="user-plus" isWide onClick={() => addPeople(channel)}>
            {t.add}
          </Button>
        </div>
      )}
      <MemberGroups serverId={serverId} members={members} isWhole />
      {gone.length > 0 && (
        <p className="side-panel-group">{t.left({ count: gone.length, names: list(gone) })}</p>
      )}
    </>
  );
}
