import { api, type Records } from '../../../api/index.ts';
import { memberSettings as t } from '../../../strings/en/memberSettings.ts';
import { Dialog, Form, TextField } from '../../../ui/index.ts';

/** Gives a member another name in this server. */
export const Nickname = ({
  member,
  onClose,
}: {
  member: Records['ListedServerMember'];
  onClose: () => void;
}) => (
  <Dialog title={t.nickname} size="s" onClose={onClose}>
    <Form
      onCancel={onClose}
      onSubmit={async (values) => {
        const nickname = values.text('nickname').trim() || null;
        await api(member.serverId).serverMemberUpdate({ id: member.id, nickname });
        onClose();
      }}
    >
      <TextField
        name="nickname"
        label={t.nickname}
        hint={t.nicknameHint(member.user.name)}
        defaultValue={member.nickname ?? ''}
        maxLength={100}
      />
    </Form>
  </Dialog>
);
