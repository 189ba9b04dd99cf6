import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { flowSettings as t } from '../../../strings/en/flowSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago } from '../../../strings/format.ts';
import { Badge, Button, Icon, IconButton, Menu, toast, WithName } from '../../../ui/index.ts';
import { Closed, Facts, nothingFound, Page, Row, Rows, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask, byNewest, usePages, useSeesPrograms, Who } from '../../settings/server/index.ts';
import { FlowDialog } from './FlowDialog.tsx';

type Flow = Records['Flow'];

/** The flows of a server: what is done by itself when something happens. */
export default function Flows({ serverId }: SectionProps) {
  const sees = useSeesPrograms(serverId);
  const may = useMay(serverId, 'flow update');
  const pages = usePages(
    serverId,
    sees.allowed
      ? (cursor) => api(serverId).flowsByServer({ serverId, cursor, limit: 100, expand: 'creator' })
      : undefined,
    (page) => ({ flow: page, user: Object.values(page.expanded?.users ?? {}) }),
  );
  const flows = useRows('flow', 'serverId', serverId).toSorted(byNewest);
  const found = useFind(t.find, flows, ({ name, description }) => [name, description], { pages });
  const [openId, setOpenId] = useState<string>();
  const [deleting, setDeleting] = useState<Flow>();
  const open = flows.find(({ id }) => id === openId);

  const turn = ({ id, enabled }: Flow) =>
    api(serverId)
      .flowUpdate({ flowId: id, enabled: !enabled })
      .then(() => toast.show(enabled ? t.off : t.on, { kind: 'good' }), toast.error);

  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={
        may.allowed && (
          <Button kind="main" icon="plus" onClick={() => setOpenId('new')}>
            {t.create}
          </Button>
        )
      }
    >
      <Closed permission={sees.allowed ? may : sees} what={sees.allowed ? t.closed : t.unseen} />
      {sees.allowed && found.field}
      {sees.allowed && (
        <Rows
          label={t.title}
          pages={pages}
          rest={found.rest}
          count={found.rows.length}
          empty={found.isSearched ? nothingFound() : { icon: 'zap', title: t.none, text: t.noneMore }}
        >
          {found.rows.map((flow) => (
            <Row
              key={flow.id}
              mark={<Icon name="zap" />}
              title={flow.name}
              badges={<Badge kind={flow.enabled ? 'good' : 'plain'}>{flow.enabled ? t.isOn : t.isOff}</Badge>}
              note={
                <Facts
                  of={[
                    flow.description,
                    t.steps(flow.steps.length),
                    <span key="by">
                      {t.made(ago(flow.createdAt))} <Who serverId={serverId} userId={flow.creatorId} />
                    </span>,
                  ]}
                />
              }
              actions={
                <Menu
                  label={serverSettings.actionsFor(flow.name)}
                  placement="below-end"
                  items={[
                    {
                      label: may.allowed ? serverSettings.edit : t.view,
                      icon: 'code',
                      onSelect: () => setOpenId(flow.id),
                    },
                    may.allowed && {
                      label: flow.enabled ? t.turnOff : t.turnOn,
                      icon: 'play',
                      onSelect: () => turn(flow),
                    },
                    may.allowed && 'line',
                    may.allowed && {
                      label: t.delete,
                      icon: 'trash',
                      isDanger: true,
                      onSelect: () => setDeleting(flow),
                    },
                  ]}
                >
                  {(trigger) => (
                    <IconButton {...trigger} icon="ellipsis" label={serverSettings.actionsFor(flow.name)} />
                  )}
                </Menu>
              }
            />
          ))}
        </Rows>
      )}
      {(open || openId === 'new') && (
        <FlowDialog serverId={serverId} flow={open} permission={may} onClose={() => setOpenId(undefined)} />
      )}
      {deleting && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} name={deleting.name} />}
          text={t.askMore}
          action={t.delete}
          isDanger
          onConfirm={async () => {
            await api(serverId).flowDelete({ flowId: deleting.id });
            toast.show(t.deleted(deleting.name));
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}
