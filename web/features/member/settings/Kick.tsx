import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { toast, WithName } from '../../../ui/index.ts';
import { Ask } from '../../settings/server/index.ts';
import { nameOf } from './MemberRow.tsx';

interface AskProps {
  member: Records['ListedServerMember'];
  onClose: () => void;
}

/** Asks for confirmation before kicking a member. */
export function Kick({ member, onClose }: AskProps) {
  const name = nameOf(member);
  const may = useMay(member.serverId, 'serverMember delete', { ownerId: member.userId });
  return (
    <Ask
      permission={may}
      title={<WithName words={t.askKick} values={{ name }} />}
      text={t.kickMore}
      action={t.kick}
      isDanger
      onConfirm={async () => {
        await api(member.serverId).serverMemberDelete({ id: member.id });
        toast.show(t.kicked({ name }));
      }}
      onClose={onClose}
    />
  );
}
