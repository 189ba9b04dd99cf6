import { api, type Records } from '../../../api/index.ts';
import { memberSettings as t } from '../../../strings/en/memberSettings.ts';
import { Confirm, toast } from '../../../ui/index.ts';
import { nameOf } from './MemberRow.tsx';

interface AskProps {
  member: Records['ListedServerMember'];
  onClose: () => void;
}

/** Asks before a member is removed. */
export function Kick({ member, onClose }: AskProps) {
  const name = nameOf(member);
  return (
    <Confirm
      title={t.askKick(name)}
      text={t.kickMore}
      action={t.kick}
      isDanger
      onConfirm={async () => {
        await api(member.serverId).serverMemberDelete({ id: member.id });
        toast.show(t.kicked(name));
      }}
      onClose={onClose}
    />
  );
}
