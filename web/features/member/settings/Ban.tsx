import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { memberSettings as t } from '../../../strings/en/serverSettings.ts';
import { Dialog, Form, TextArea, toast, WithName } from '../../../ui/index.ts';
import { Closed } from '../../settings/index.ts';
import { nameOf } from './MemberRow.tsx';

/** Asks for a reason and bans a member. */
export function Ban({ member, onClose }: { member: Records['ListedServerMember']; onClose: () => void }) {
  const { serverId, userId } = member;
  const name = nameOf(member);
  const may = useMay(serverId, 'serverBan insert');
  return (
    <Dialog title={<WithName words={t.askBan} values={{ name }} />} size="s" onClose={onClose}>
      <Form
        submit={may.allowed && t.ban}
        isDanger
        onCancel={onClose}
        onSubmit={async (values) => {
          await api(serverId).serverBanInsert({
            serverId,
            userId,
            reason: values.optional('reason') ?? null,
          });
          toast.show(t.banned({ name }));
          onClose();
        }}
      >
        <p>{t.banMore}</p>
        <Closed permission={may} />
        <TextArea name="reason" label={t.reason} hint={t.reasonHint} most={4000} isOptional />
      </Form>
    </Dialog>
  );
}
