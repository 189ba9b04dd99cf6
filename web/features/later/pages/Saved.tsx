import { useEffect, useState } from 'react';
import { api, PalaverError, type Records } from '../../../api/index.ts';
import { Link } from '../../../Link.tsx';
import { useActions, useRow, useRows, useSession } from '../../../replica/hooks.ts';
import type { Rows as Replicated } from '../../../replica/types.ts';
import type { Route } from '../../../routes.ts';
import { common } from '../../../strings/en/common.ts';
import { later, saved as t } from '../../../strings/en/writing.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Avatar, Icon, IconButton, toast, useMenu } from '../../../ui/index.ts';
import { useBeside, useLine } from '../../member/index.ts';
import { Page, Rows } from '../../settings/index.ts';
import { usePages } from '../../settings/server/index.ts';
import { removeSaved } from '../calls.ts';
import { ReminderMenu } from '../ReminderMenu.tsx';
import { when } from '../times.ts';
import { Where } from './Where.tsx';

type SavedRow = Replicated['saved'];

/** The user's saved messages, latest first. */
export function Saved() {
  const pages = usePages(
    'saved',
    (cursor) => api('none').savedMessages({ limit: 50, ...(cursor !== undefined && { cursor }) }),
    (page) => ({ saved: [...page] }),
  );
  const rows = useRows('saved', 'all', '');
  return (
    <Page title={later.sections.saved} lead={t.lead}>
      <Rows
        label={later.sections.saved}
        pages={pages}
        count={rows.length}
        empty={{ icon: 'bookmark', title: t.none, text: t.noneMore }}
      >
        {rows.map((row) => (
          <Entry key={row.id} row={row} />
        ))}
      </Rows>
    </Page>
  );
}

type Message = Pick<Records['ShownMessage'], 'creatorId' | 'threadId' | 'content' | 'createdAt'> & {
  attachments?: readonly { name: string }[] | undefined;
};

/**
 * The message of a row, from the replica or from the list. Null if it was deleted, undefined while loading.
 */
function useMessage({ messageId, serverId, message }: SavedRow): Message | null | undefined {
  const session = useSession();
  const { load } = useActions();
  const [isGone, setGone] = useState(message === null);
  const cached = useRow('message', messageId);
  useEffect(
    () =>
      session.onEvent((event) => {
        if (event.type === 'message.deleted' && event.data.id === messageId) setGone(true);
      }),
    [session, messageId],
  );
  const isMissing = cached === undefined && message === undefined && !isGone;
  useEffect(() => {
    if (!isMissing) return;
    load(
      () => api(serverId).messageById({ messageId }),
      (found) => ({ message: [found as Records['ShownMessage']] }),
    ).catch((error) => {
      if (error instanceof PalaverError && (error.status === 404 || error.status === 403)) setGone(true);
    });
  }, [isMissing, load, serverId, messageId]);
  if (isGone || message === null) return null;
  return cached ?? (message && { ...message, attachments: message.files.map((name) => ({ name })) });
}

/** The route of a message, in its thread if it is in one. */
const routeTo = ({ serverId, channelId, messageId }: SavedRow, threadId: string | null): Route => ({
  ...{ page: 'server', serverId, channelId },
  ...(threadId === null ? { messageId } : { threadId, replyId: messageId }),
});

function Entry({ row }: { row: SavedRow }) {
  const { serverId, channelId, remindAt, messageId, createdAt } = row;
  const message = useMessage(row);
  const text = useLine(serverId, message ?? undefined);
  const { user, name } = useBeside(serverId, message?.creatorId, common.somebody);
  const { anchor, close, trigger } = useMenu();
  const at = message?.createdAt ?? createdAt;
  return (
    <li className="inbox-row">
      {message ? (
        <Avatar
          id={message.creatorId}
          name={name}
          src={user?.image}
          size={32}
          isAgent={user?.type === 'agent'}
        />
      ) : (
        <Icon name="bookmark" size={32} />
      )}
      <div className="inbox-row-body">
        {message ? (
          <>
            <Link className="inbox-row-link" to={routeTo(row, message.threadId)}>
              <b>
                <bdi>{name}</bdi>
              </b>
            </Link>
            <p className="inbox-row-text" dir="auto">
              {text}
            </p>
          </>
        ) : (
          <p className="muted">{message === null ? t.gone : common.loading}</p>
        )}
        <p className="inbox-row-where">
          <Where serverId={serverId} channelId={channelId} threadId={message?.threadId} />
          <time dateTime={new Date(at).toISOString()} title={dateTime(at)}>
            {ago(at)}
          </time>
        </p>
        {remindAt !== null && <p className="inbox-row-where">{t.reminder({ when: when(remindAt) })}</p>}
      </div>
      <span className="inbox-row-tools">
        {message && (
          <IconButton
            {...trigger}
            icon="bell"
            size="small"
            label={remindAt === null ? t.remind : t.changeReminder}
          />
        )}
        <IconButton
          icon="x"
          size="small"
          label={t.remove}
          onClick={() => void removeSaved(row).catch(toast.error)}
        />
        {anchor && <ReminderMenu {...{ messageId, remindAt, anchor }} onClose={close} />}
      </span>
    </li>
  );
}
