import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useServer } from '../../../replica/hooks.ts';
import { navigate } from '../../../routes.ts';
import { dangerSettings as t } from '../../../strings/en/serverSettings.ts';
import { Button, toast, WithName } from '../../../ui/index.ts';
import { useAdministrators } from '../../member/index.ts';
import { withProof } from '../../session/index.ts';
import { Group, Page, ruleInWords } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask } from '../../settings/server/index.ts';
import { HandOver } from './HandOver.tsx';

/** Handing the server over, leaving it, deleting it. */
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
          <div>
            <Button icon="crown" onClick={() => setAsking('handOver')}>
              {t.handOver.action}
            </Button>
          </div>
        )}
      </Group>
      <Group
        title={t.leave.title}
        lead={mayLeave.allowed ? t.leave.lead : isCreator ? t.leave.creator : ruleInWords(mayLeave)}
      >
        {mayLeave.allowed && (
          <div>
            <Button icon="log-out" onClick={() => setAsking('leave')}>
              {t.leave.action}
            </Button>
          </div>
        )}
      </Group>
      <Group isDanger title={t.delete.title} lead={mayDelete.allowed ? t.delete.lead : t.delete.creatorOnly}>
        {mayDelete.allowed && (
          <div>
            <Button kind="danger" icon="trash" onClick={() => setAsking('delete')}>
              {t.delete.action}
            </Button>
          </div>
        )}
      </Group>
      {asking === 'handOver' && <HandOver server={server} permission={mayHandOver} onClose={close} />}
      {asking === 'leave' && (
        <Ask
          permission={mayLeave}
          title={<WithName words={t.leave.ask} values={{ name: server.name }} />}
          text={t.leave.text}
          action={t.leave.action}
          isDanger
          onConfirm={async () => {
            await api(serverId).serverLeave({ id: serverId });
            navigate({ page: 'home' });
            toast.show(t.leave.done({ name: server.name }));
          }}
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <Ask
          permission={mayDelete}
          title={<WithName words={t.delete.ask} values={{ name: server.name }} />}
          text={t.delete.text}
          action={t.delete.action}
          isDanger
          typed={server.name}
          onConfirm={async () => {
            await withProof(() => api(serverId).serverDelete({ id: serverId, name: server.name }));
            navigate({ page: 'home' });
            toast.show(t.delete.done({ name: server.name }));
          }}
          onClose={close}
        />
      )}
    </Page>
  );
}
