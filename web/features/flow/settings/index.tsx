import { useState } from 'react';
import { siteAddress } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { type Permission, useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { flowSettings as t } from '../../../strings/en/flows.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago } from '../../../strings/format.ts';
import { Badge, Icon, toast, WithName } from '../../../ui/index.ts';
import { late } from '../../../ui/late.tsx';
import { Closed, Create, Facts, FoundRows, Page, Row, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask, OnceShown, RowMenu, useSeesPrograms, useServerList, Who } from '../../settings/server/index.ts';

type Flow = Records['Flow'];

const New = late(() => import('../new/New.tsx'));
const Editor = late(() => import('../editor/Editor.tsx'));
const Runs = late(() => import('../runs/Runs.tsx'));
const Try = late(() => import('../try/Try.tsx'));

type Act = 'edit' | 'runs' | 'try';

const textsOf = ({ name, description }: Flow) => [name, description];

/** The flows of a server: automations with triggers such as events, schedules and commands. */
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
  const [asking, setAsking] = useState<{ act: Act; id: string } | 'new'>();
  const asked = asking === 'new' ? undefined : flows.find(({ id }) => id === asking?.id);
  const act = asking === 'new' ? undefined : asking?.act;
  const [hook, setHook] = useState<{ name: string; path: string }>();
  const close = () => setAsking(undefined);
  const saved = ({ name, path }: Records['FlowWithPath']) => path !== undefined && setHook({ name, path });
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setAsking('new')} />}
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
            <FlowRow key={flow.id} flow={flow} may={may} onAct={(act) => setAsking({ act, id: flow.id })} />
          )}
        </FoundRows>
      )}
      {asking === 'new' && <New serverId={serverId} permission={may} onSaved={saved} onClose={close} />}
      {asked && act === 'edit' && (
        <Editor serverId={serverId} flow={asked} permission={may} onSaved={saved} onClose={close} />
      )}
      {asked && act === 'runs' && <Runs flow={asked} onClose={close} />}
      {asked && act === 'try' && <Try flow={asked} onClose={close} />}
      {hook && (
        <OnceShown
          title={<WithName words={t.hookOf} values={{ name: hook.name }} />}
          lead={t.hookMore}
          value={siteAddress() + hook.path}
          label={t.hook}
          lines={[
            {
              title: t.curl,
              text: `curl ${siteAddress()}${hook.path} -H 'Content-Type: application/json' -d '{"text": "Hello"}'`,
            },
          ]}
          onClose={() => setHook(undefined)}
        />
      )}
    </Page>
  );
}

interface FlowRowProps {
  flow: Flow;
  may: Permission;
  onAct: (act: Act) => void;
}

function FlowRow({ flow, may, onAct }: FlowRowProps) {
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
            {
              label: may.allowed ? serverSettings.edit : t.view,
              icon: may.allowed ? 'pencil' : 'eye',
              onSelect: () => onAct('edit'),
            },
            { label: t.runs, icon: 'list', onSelect: () => onAct('runs') },
            may.allowed && kind === 'flow' && { label: t.try, icon: 'search', onSelect: () => onAct('try') },
            may.allowed &&
              kind === 'flow' && { label: enabled ? t.turnOff : t.turnOn, icon: 'play', onSelect: turn },
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
