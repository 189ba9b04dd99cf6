import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowSettings as t } from '../../../strings/en/programs.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago } from '../../../strings/format.ts';
import { Badge, Icon, toast, WithName } from '../../../ui/index.ts';
import { late } from '../../../ui/late.tsx';
import { Closed, Create, Facts, FoundRows, Page, Row, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask, RowMenu, useSeesPrograms, useServerList, Who } from '../../settings/server/index.ts';
import { FlowDialog } from './FlowDialog.tsx';

type Flow = Records['Flow'];

const Runs = late(() => import('../runs/Runs.tsx'));

const textsOf = ({ name, description }: Flow) => [name, description];

/** The flows of a server: automations triggered by events. */
export default function Flows({ serverId }: SectionProps) {
  const sees = useSeesPrograms(serverId);
  const may = useMay(serverId, 'flow update');
  const { pages, rows: flows } = useServerList(
    'flow',
    serverId,
    sees.allowed &&
      ((cursor) => api(serverId).flowsByServer({ serverId, cursor, limit: 100, expand: 'creator' })),
  );
  const found = useFind(t.find, flows, textsOf, { pages });
  const [openId, setOpenId] = useState<string>();
  const open = flows.find(({ id }) => id === openId);
  const [runsOf, setRunsOf] = useState<string>();
  const ran = flows.find(({ id }) => id === runsOf);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setOpenId('new')} />}
    >
      <Closed permission={sees.allowed ? may : sees} what={sees.allowed ? common.viewOnly : t.unseen} />
      {sees.allowed && (
        <FoundRows
          label={t.title}
          found={found}
          pages={pages}
          empty={{ icon: 'zap', title: t.none, text: t.noneMore }}
        >
          {(flow) => (
            <FlowRow
              key={flow.id}
              flow={flow}
              may={may}
              onOpen={() => setOpenId(flow.id)}
              onRuns={() => setRunsOf(flow.id)}
            />
          )}
        </FoundRows>
      )}
      {(open || openId === 'new') && (
        <FlowDialog serverId={serverId} flow={open} permission={may} onClose={() => setOpenId(undefined)} />
      )}
      {ran && <Runs flow={ran} onClose={() => setRunsOf(undefined)} />}
    </Page>
  );
}

interface FlowRowProps {
  flow: Flow;
  may: Permission;
  onOpen: () => void;
  onRuns: () => void;
}

function FlowRow({ flow, may, onOpen, onRuns }: FlowRowProps) {
  const { id, serverId, name, enabled, kind, disabledReason } = flow;
  const [isDeleting, setDeleting] = useState(false);
  const turn = () =>
    api(serverId)
      .flowUpdate({ flowId: id, enabled: !enabled })
      .then(() => toast.show(enabled ? t.off : t.on, { kind: 'good' }), toast.error);
  return (
    <Row
      mark={<Icon name="zap" />}
      title={name}
      badges={
        kind === 'note' ? (
          <Badge>{t.note}</Badge>
        ) : (
          <Badge kind={enabled ? 'good' : disabledReason ? 'bad' : 'plain'}>
            {enabled ? t.isOn : t.isOff}
          </Badge>
        )
      }
      note={
        <Facts
          of={[
            flow.description,
            kind === 'note' && t.noteMore,
            disabledReason && t.disabled({ reason: disabledReason }),
            t.steps({ count: flow.steps.length }),
            <span key="by">
              {serverSettings.createdBy({ when: ago(flow.createdAt) })}{' '}
              <Who serverId={serverId} userId={flow.creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <RowMenu
          name={name}
          items={[
            { label: may.allowed ? serverSettings.edit : t.view, icon: 'code', onSelect: onOpen },
            { label: t.runs, icon: 'list', onSelect: onRuns },
            may.allowed && { label: enabled ? t.turnOff : t.turnOn, icon: 'play', onSelect: turn },
            may.allowed && 'line',
            may.allowed && {
              label: common.delete,
              icon: 'trash',
              isDanger: true,
              onSelect: () => setDeleting(true),
            },
          ]}
        />
      }
    >
      {isDeleting && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} values={{ name }} />}
          text={t.askMore}
          action={common.delete}
          isDanger
          onConfirm={() => api(serverId).flowDelete({ flowId: id })}
          done={t.deleted({ name })}
          onClose={() => setDeleting(false)}
        />
      )}
    </Row>
  );
}
