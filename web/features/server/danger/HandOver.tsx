import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { dangerSettings as t } from '../../../strings/en/serverSettings.ts';
import { Dialog, toast, WithName } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { Ask, PickMember } from '../../settings/server/index.ts';

type Member = Records['ListedServerMember'];

interface HandOverProps {
  server: Records['Server'];
  permission: Permission;
  onClose: () => void;
}

/** Transfers the server to a member. */
export function HandOver({ server, permission, onClose }: HandOverProps) {
  const [member, setMember] = useState<Member>();
  if (!member) {
    return (
      <Dialog title={t.handOver.choose} onClose={onClose}>
        <PickMember
          serverId={server.id}
          isChoosable={({ user }) => user.type === 'person' && user.id !== server.creatorId}
          onPick={setMember}
        />
      </Dialog>
    );
  }
  const name = member.nickname ?? member.user.name;
  return (
    <Ask
      permission={permission}
      title={<WithName words={t.handOver.ask} values={{ server: server.name, name }} />}
      text={<WithName words={t.handOver.text} values={{ name }} />}
      action={t.handOver.action}
      isDanger
      typed={server.name}
      onConfirm={async () => {
        const wish = { id: server.id, userId: member.userId, name: server.name };
        await withProof(() => api(server.id).serverHandOver(wish));
        toast.show(t.handOver.done({ name }), { kind: 'good' });
      }}
      onClose={onClose}
    />
  );
}
