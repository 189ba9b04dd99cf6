import { useEffect, useState } from 'react';
import { base } from '../../../api/base.ts';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { useMay } from '../../../may/index.ts';
import { useChannels, useRow, useSession } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { exportSettings as t } from '../../../strings/en/records.ts';
import { bytes, dateTime, shortTime } from '../../../strings/format.ts';
import { Dialog, Form, IconButton, Select, Spinner, type Values } from '../../../ui/index.ts';
import { AskedRows, Closed, Create, Facts, Page, Row } from '../../settings/index.ts';
import { Ask, type SectionProps } from '../../settings/server/index.ts';

type Export = Records['Export'];

/** A server's exports, with controls to start, monitor, download and delete them. */
export default function Exports({ serverId }: SectionProps) {
  const may = useMay(serverId, 'export insert');
  const session = useSession();
  /** Number of exports created while the page is open. The list is reloaded after each. */
  const [created, setCreated] = useState(0);
  const pages = usePages([serverId, may.allowed, created].join(' '), async (cursor) =>
    may.allowed
      ? api(serverId).exportsByServer({ serverId, cursor })
      : Object.assign([], { nextCursor: null }),
  );
  const { put } = pages;
  useEffect(
    () =>
      session.onEvent((event) => {
        if (event.type === 'export.created' && event.data.serverId === serverId)
          setCreated((count) => count + 1);
        else if (event.type === 'export.updated') put(event.data.id, event.data);
        else if (event.type === 'export.deleted') put(event.data.id, undefined);
      }),
    [session, serverId, put],
  );
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Export>();
  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={may.allowed && <Create label={t.create} onClick={() => setCreating(true)} />}
    >
      <Closed permission={may} what={t.forbidden} />
      {may.allowed && (
        <AskedRows label={t.title} pages={pages} empty={{ icon: 'archive', title: t.none, text: t.noneMore }}>
          {(each) => <ExportRow key={each.id} row={each} onDelete={() => setDeleting(each)} />}
        </AskedRows>
      )}
      {isCreating && <ExportDialog serverId={serverId} onClose={() => setCreating(false)} />}
      {deleting && (
        <Ask
          permission={may}
          title={t.ask}
          text={deleting.state === 'running' ? t.askRunning : t.askMore}
          action={common.delete}
          onConfirm={async () => {
            await api(serverId).exportDelete({ id: deleting.id });
            put(deleting.id, undefined);
          }}
          done={t.deleted}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Page>
  );
}

interface ExportRowProps {
  row: Export;
  onDelete: () => void;
}

function ExportRow({ row, onDelete }: ExportRowProps) {
  const channel = useRow('channel', row.channelId ?? '');
  const what = row.channelId === null ? t.whole : `#${channel?.name ?? t.unknownChannel}`;
  const when = shortTime(row.createdAt);
  const size = row.bytes === null ? undefined : bytes(row.bytes);
  return (
    <Row
      title={what}
      note={
        <Facts
          of={[
            <span key="at" title={dateTime(row.createdAt)}>
              {when}
            </span>,
            row.state === 'running' && <Spinner key="running" size={14} />,
            t.states[row.state],
            t.messages({ count: row.messages }),
            size,
          ]}
        />
      }
      actions={
        <>
          {row.state === 'done' && (
            <a
              className="button button-plain button-small"
              href={`${base}/api/v1/exports/${encodeURIComponent(row.id)}/content`}
              download=""
              aria-label={t.downloadOf({ what, when })}
            >
              <span className="button-text">{common.download}</span>
            </a>
          )}
          <IconButton size="small" icon="trash" label={t.deleteOf({ what, when })} onClick={onDelete} />
        </>
      }
    />
  );
}

function ExportDialog({ serverId, onClose }: { serverId: string; onClose: () => void }) {
  const channels = useChannels(serverId);
  const start = async (values: Values) => {
    await api(serverId).exportInsert({ serverId, channelId: values.text('channelId') || null });
    onClose();
  };
  return (
    <Dialog title={t.create} size="s" onClose={onClose} isFirm>
      <Form submit={t.start} onSubmit={start} onCancel={onClose}>
        <Select
          name="channelId"
          label={t.scope}
          hint={t.scopeHint}
          defaultValue=""
          options={[
            { value: '', label: t.whole },
            ...channels.map(({ id, name }) => ({ value: id, label: `#${name}` })),
          ]}
        />
      </Form>
    </Dialog>
  );
}
