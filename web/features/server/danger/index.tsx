import { type ComponentProps, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { navigate } from '../../../routes.ts';
import { dangerSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, toast, WithName } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/administrators/index.ts';
import { withProof } from '../../session/index.ts';
import { Group, Page, ruleInWords } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask } from '../../settings/server/index.ts';
import { HandOver } from './HandOver.tsx';

/** The danger zone: transfer, leave or delete the server. */
export default function Danger({ serverId }: SectionProps) {
  const { server, state } = useServer(serverId);
  const [asking, setAsking] = useState<'handOver' | 'leave' | 'delete'>();
  const userId = state?.standing.userId ?? '';
  const areLeft = useAdministrators(serverId, state?.standing.flags.includes('canAdmin'));
  const mayHandOver = useMay(serverId, 'server update', {}, { handedOver: {} });
  const mayDelete = useMay(serverId, 'server delete', {}, { deletable: {} });
  const mayLeave = useMay(
    serverId,
    'serverMember delete',
    { ownerId: userId },
    {
      creatorStays: { userId, serverCreatorId: server?.creatorId ?? '' },
      administrable: { hasAdministrator: areLeft({ userId }) },
    },
  );
  if (!server || !state) return null;
  const isCreator = server.creatorId === userId;
  const close = () => setAsking(undefined);

  return (
    <Page title={t.title} lead={t.lead}>
      <Group title={t.handOver.title} lead={mayHandOver.allowed ? t.handOver.lead : t.creatorOnly}>
        {mayHandOver.allowed && (
          <Act icon="crown" onClick={() => setAsking('handOver')}>
            {t.handOver.action}
          </Act>
        )}
      </Group>
      <Group
        title={t.leave.title}
        lead={mayLeave.allowed ? t.leave.lead : isCreator ? t.leave.creator : ruleInWords(mayLeave)}
      >
        {mayLeave.allowed && (
          <Act icon="log-out" onClick={() => setAsking('leave')}>
            {t.leave.action}
          </Act>
        )}
      </Group>
      <Group isDanger title={t.delete.title} lead={mayDelete.allowed ? t.delete.lead : t.delete.creatorOnly}>
        {mayDelete.allowed && (
          <Act kind="danger" icon="trash" onClick={() => setAsking('delete')}>
            {t.delete.action}
          </Act>
        )}
      </Group>
      {asking === 'handOver' && <HandOver server={server} permission={mayHandOver} onClose={close} />}
      {asking === 'leave' && <AskToLeave server={server} permission={mayLeave} onClose={close} />}
      {asking === 'delete' && <AskToDelete server={server} permission={mayDelete} onClose={close} />}
    </Page>
  );
}

const Act = (props: ComponentProps<typeof Button>) => (
  <div>
    <Button {...props} />
  </div>
);

interface AskProps {
  server: Records['Server'];
  permission: Permission;
  onClose: () => void;
}

const AskToLeave = ({ server: { id, name }, permission, onClose }: AskProps) => (
  <Ask
    permission={permission}
    title={<WithName words={t.leave.ask} values={{ name }} />}
    text={t.leave.text}
    action={t.leave.action}
    isDanger
    onConfirm={async () => {
      await api(id).serverLeave({ id });
      navigate({ page: 'home' });
      toast.show(t.leave.done({ name }));
    }}
    onClose={onClose}
  />
);

const AskToDelete = ({ server: { id, name }, permission, onClose }: AskProps) => (
  <Ask
    permission={permission}
    title={<WithName words={t.delete.ask} values={{ name }} />}
    text={t.delete.text}
    action={t.delete.action}
    isDanger
    typed={name}
    onConfirm={async () => {
      await withProof(() => api(id).serverDelete({ id, name }));
      navigate({ page: 'home' });
      toast.show(t.delete.done({ name }));
    }}
    onClose={onClose}
  />
);
