import { useEffect, useMemo, useState } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';
import { type Permission, useMay } from '../../may/index.ts';
import { useLine, useRow, useSession } from '../../replica/hooks.ts';
import { navigate, pathOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { thread as t } from '../../strings/en/panels.ts';
import {
  Confirm,
  copyText,
  Dialog,
  Form,
  IconButton,
  Menu,
  type MenuItem,
  TextField,
  toast,
} from '../../ui/index.ts';
import { useUserId } from '../session/index.ts';

/** The id of the user's latest cached reply. */
function useLastOwn(threadId: string): string | undefined {
  const place = useMemo(() => ({ threadId }), [threadId]);
  const line = useLine(place);
  const { replica } = useSession();
  const userId = useUserId();
  return line?.ids.findLast((id) => replica.row('message', id)?.creatorId === userId);
}

/** Whether the user follows a thread, and a function that toggles it. */
function useFollowing(serverId: string, threadId: string) {
  // Users automatically follow a thread when they reply, so this is reloaded after each reply.
  const own = useLastOwn(threadId);
  const { data, keep } = useAsked(`${threadId} ${own}`, () =>
    api(serverId).threadFollowing({ id: threadId }),
  );
  const session = useSession();
  // Applies changes from the user's other devices.
  useEffect(
    () =>
      session.onEvent((event) => {
        if (event.type === 'following.updated' && event.data.threadId === threadId) keep(() => event.data);
      }),
    [session, threadId, keep],
  );
  const isFollowing = data?.following;
  const turn = async () => {
    const next = await api(serverId).threadFollow({ id: threadId, following: !isFollowing });
    keep(() => next);
    toast.show(next.following ? t.followed : t.unfollowed);
  };
  return { isFollowing, turn };
}

const closedBy = ({ allowed }: Permission) => (allowed ? {} : { isDisabled: true, note: t.notYours });

/** The actions for a thread, such as following, renaming or deleting it. */
export function ThreadTools({ threadId, channel }: { threadId: string; channel: Records['Channel'] }) {
  const thread = useRow('thread', threadId);
  const target = { channel, ...(thread && { ownerId: thread.creatorId }) };
  const update = useMay(channel.serverId, 'thread update', target);
  const remove = useMay(channel.serverId, 'thread delete', target);
  const [shown, setShown] = useState<'name' | 'delete'>();
  const { isFollowing, turn } = useFollowing(channel.serverId, threadId);
  if (!thread) return null;
  const { id, serverId, channelId, messageId, locked } = thread;
  const calls = api(serverId);
  const place = { page: 'server', serverId, channelId } as const;
  const close = () => setShown(undefined);
  const setLocked = () => calls.threadUpdate({ threadId: id, locked: !locked }).catch(toast.error);
  const copyLink = async () => {
    await copyText(location.origin + pathOf({ ...place, threadId: id }));
    toast.show(common.copied);
  };
  const items: MenuItem[] = [
    messageId !== null && {
      label: t.toFirst,
      icon: 'corner-up-left',
      onSelect: () => navigate({ ...place, messageId, threadId: id }),
    },
    { label: common.copyLink, icon: 'link', onSelect: () => void copyLink().catch(toast.error) },
    isFollowing !== undefined && {
      ...{ label: t.follow, icon: 'bell', isOn: isFollowing },
      onSelect: () => void turn().catch(toast.error),
    },
    'line',
    { label: t.rename, icon: 'pencil', onSelect: () => setShown('name'), ...closedBy(update) },
    {
      label: locked ? t.unlock : t.lock,
      icon: 'lock',
      onSelect: () => void setLocked(),
      ...closedBy(update),
    },
    {
      label: t.delete,
      icon: 'trash',
      isDanger: true,
      onSelect: () => setShown('delete'),
      ...closedBy(remove),
    },
  ];
  return (
    <>
      <Menu label={t.more} items={items} placement="below-end">
        {(trigger) => <IconButton {...trigger} icon="ellipsis" label={t.more} />}
      </Menu>
      {shown === 'name' && <Rename thread={thread} onClose={close} />}
      {shown === 'delete' && <Delete thread={thread} onClose={close} />}
    </>
  );
}

interface PartProps {
  thread: Records['Thread'];
  onClose: () => void;
}

function Rename({ thread: { id, serverId, name }, onClose }: PartProps) {
  return (
    <Dialog title={t.rename} size="s" onClose={onClose}>
      <Form
        onCancel={onClose}
        onSubmit={async (values) => {
          await api(serverId).threadUpdate({ threadId: id, name: values.optional('name')?.trim() || null });
          onClose();
        }}
      >
        <TextField label={common.name} name="name" defaultValue={name ?? ''} maxLength={100} autoFocus />
      </Form>
    </Dialog>
  );
}

const Delete = ({ thread: { id, serverId, channelId, replyCount }, onClose }: PartProps) => (
  <Confirm
    title={t.deleteAsk}
    text={t.deleteMore({ replies: replyCount })}
    action={t.delete}
    isDanger
    onClose={onClose}
    onConfirm={async () => {
      await api(serverId).threadDelete({ threadId: id });
      navigate({ page: 'server', serverId, channelId }, { replace: true });
    }}
  />
);
