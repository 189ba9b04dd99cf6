import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { useRow, useRows, useSession } from '../../../replica/hooks.ts';
import type { Rows as Replicated } from '../../../replica/types.ts';
import type { Route } from '../../../routes.ts';
import { common } from '../../../strings/en/common.ts';
import { later, scheduled as t } from '../../../strings/en/writing.ts';
import {
  Confirm,
  Dialog,
  Form,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  messageOf,
  TextArea,
  toast,
  type Values,
  WithName,
} from '../../../ui/index.ts';
import { askAll } from '../../member/index.ts';
import { Page, Rows } from '../../settings/index.ts';
import { usePages } from '../../settings/server/index.ts';
import { TimeField, timeIn } from '../TimeField.tsx';
import { mornings, when } from '../times.ts';
import { usePlaceName, Where } from './Where.tsx';

type Row = Replicated['scheduledMessage'];

/** Maximum length of a message. */
const MOST = 8_000;

/** The user's scheduled messages: failed ones first, then by time. */
export function Scheduled() {
  const pages = usePages(
    'scheduled',
    (cursor) => api('none').scheduledMessages({ limit: 100, ...(cursor !== undefined && { cursor }) }),
    (page) => ({ scheduledMessage: [...page] }),
  );
  const rows = useRows('scheduledMessage', 'all', '').toSorted(
    (one, other) =>
      Number(one.failedAt === null) - Number(other.failedAt === null) || one.dueAt - other.dueAt,
  );
  return (
    <Page title={later.sections.scheduled} lead={t.lead}>
      <Rows
        label={later.sections.scheduled}
        pages={pages}
        count={rows.length}
        empty={{ icon: 'clock', title: t.none, text: t.noneMore }}
      >
        {rows.map((row) => (
          <Entry key={row.id} row={row} />
        ))}
      </Rows>
    </Page>
  );
}

const routeTo = ({ serverId, channelId, threadId }: Row): Route => ({
  ...{ page: 'server', serverId, channelId },
  ...(threadId !== null && { threadId }),
});

function Entry({ row }: { row: Row }) {
  const { id, serverId, channelId, threadId, content, dueAt, failedAt, failure } = row;
  const place = usePlaceName(channelId);
  const isMember = useRow('server', serverId) !== undefined;
  const [shown, setShown] = useState<'edit' | 'delete'>();
  const send = async () => {
    await api('none').scheduledMessageSend({ id });
    toast.show(t.sent, { kind: 'good' });
  };
  const items: MenuItem[] = [
    {
      label: failedAt === null ? t.edit : t.again,
      icon: failedAt === null ? 'pencil' : 'rotate-ccw',
      onSelect: () => setShown('edit'),
    },
    { label: t.sendNow, icon: 'send-horizontal', onSelect: () => void send().catch(toast.error) },
    'line',
    { label: common.delete, icon: 'trash', isDanger: true, onSelect: () => setShown('delete') },
  ];
  const to = <WithName words={t.to} values={{ place: place ?? t.unknown }} />;
  const close = () => setShown(undefined);
  return (
    <li className="inbox-row">
      <Icon name={failedAt === null ? 'clock' : 'circle-alert'} />
      <div className="inbox-row-body">
        {place && isMember ? (
          <Link className="inbox-row-link" to={routeTo(row)}>
            <b>{to}</b>
          </Link>
        ) : (
          <b>{to}</b>
        )}
        <p className="inbox-row-text" dir="auto">
          {content}
        </p>
        {failure !== null && (
          <p className="field-error">
            {t.failed({ why: messageOf({ code: 'FORBIDDEN', message: failure }) })}
          </p>
        )}
        {failedAt === null && <p className="inbox-row-where">{t.for({ when: when(dueAt) })}</p>}
        <p className="inbox-row-where">
          <Where serverId={serverId} threadId={threadId} />
        </p>
      </div>
      <span className="inbox-row-tools">
        <Menu label={t.more} items={items} placement="below-end">
          {(trigger) => <IconButton {...trigger} icon="ellipsis" size="small" label={t.more} />}
        </Menu>
      </span>
      {shown === 'edit' && <EditDialog row={row} onClose={close} />}
      {shown === 'delete' && (
        <Confirm
          title={t.deleteAsk}
          text={t.deleteMore}
          action={common.delete}
          isDanger
          onClose={close}
          onConfirm={async () => {
            await api('none').scheduledMessageDelete({ id });
          }}
        />
      )}
    </li>
  );
}

/** Changes the text and time of a scheduled message. A new time retries a failed message. */
function EditDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const session = useSession();
  const channel = useRow('channel', row.channelId);
  const first = row.failedAt === null ? row.dueAt : mornings(Date.now()).tomorrow;
  const save = async (values: Values) => {
    const content = values.text('content').trim();
    const dueAt = timeIn(values.text('dueAt'));
    const send = () => change(content, dueAt);
    // The channels and the number of members are only known for servers that are loaded.
    await (channel && content !== row.content
      ? askAll(session, channel, content, send, common.save)
      : send());
  };
  const change = async (content: string, dueAt: number) => {
    await session.actions.load(
      () =>
        api('none').scheduledMessageUpdate({
          id: row.id,
          ...(content !== row.content && { content }),
          // The field has no seconds, so smaller differences are not changes.
          ...(Math.abs(dueAt - row.dueAt) >= 60_000 && { dueAt }),
        }),
      (changed) => ({ scheduledMessage: [{ ...changed, content }] }),
    );
    onClose();
  };
  return (
    <Dialog title={row.failedAt === null ? t.edit : t.again} onClose={onClose} isFirm>
      <Form submit={row.failedAt === null ? common.save : t.schedule} onSubmit={save} onCancel={onClose}>
        <TextArea label={t.message} name="content" defaultValue={row.content} most={MOST} rows={4} required />
        <TimeField name="dueAt" at={first} />
      </Form>
    </Dialog>
  );
}
