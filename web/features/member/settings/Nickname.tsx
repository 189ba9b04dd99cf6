import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { Dialog, Form, TextField } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';

/** Sets a member's nickname in this server. */
export function Nickname({
  member,
  onClose,
}: {
  member: Records['ListedServerMember'];
  onClose: () => void;
}) {
  const may = useMay(member.serverId, 'serverMember update', { ownerId: member.userId });
  return (
    <Dialog title={t.nickname} size="s" onClose={onClose}>
      <Form
        submit={may.allowed ? undefined : false}
        onCancel={onClose}
        onSubmit={async (values) => {
          const nickname = values.text('nickname').trim() || null;
          await api(member.serverId).serverMemberUpdate({ id: member.id, nickname });
          onClose();
        }}
      >
        <Closed permission={may} />
        <TextField
          name="nickname"
          label={t.nickname}
          hint={t.nicknameHint({ name: member.user.name })}
          defaultValue={member.nickname ?? ''}
          maxLength={100}
        />
      </Form>
    </Dialog>
  );
}
