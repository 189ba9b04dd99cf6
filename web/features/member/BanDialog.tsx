import { api, type Records } from '../../api/index.ts';
import { member as t } from '../../strings/en/panels.ts';
import { Dialog, Form, TextField, type Values, WithName } from '../../ui/index.ts';

interface BanDialogProps {
  serverId: string;
  user: Records['User'];
  onClose: () => void;
}

/** Asks for confirmation and a reason before banning a member. */
export function BanDialog({ serverId, user, onClose }: BanDialogProps) {
  const ban = async (values: Values) => {
    const reason = values.optional('reason')?.trim();
    await api(serverId).serverBanInsert({ userId: user.id, serverId, ...(reason && { reason }) });
    onClose();
  };
  return (
    <Dialog title={<WithName words={t.banAsk} values={{ name: user.name }} />} size="s" onClose={onClose}>
      <Form onSubmit={ban} submit={t.ban} isDanger onCancel={onClose}>
        <p>{t.banMore}</p>
        <TextField label={t.reason} hint={t.reasonHint} name="reason" isOptional maxLength={500} />
      </Form>
    </Dialog>
  );
}
