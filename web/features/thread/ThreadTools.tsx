import { useEffect, useMemo, useState } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';
import { useMay } from '../../may/index.ts';
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

/** The id of one's own last reply, as far as replies are here. */
function useLastOwn(threadId: string): string | undefined {
  const place = useMemo(() => ({ threadId }), [threadId]);
  const line = useLine(place);
  const { replica } = useSession();
  const userId = useUserId();
  return line?.ids.findLast((id) => replica.row('message', id)?.creatorId === userId);
}

/** What one does with a thread: name it, lock it, copy its address, delete it. */
export function ThreadTools({ threadId, channel }: { threadId: string; channel: Records['Channel'] }) {
  const thread = useRow('thread', threadId);
  const target = { channel, ...(thread && { ownerId: thread.creatorId }) };
  const update = useMay(channel.serverId, 'thread update', target);
  const remove = useMay(channel.serverId, 'thread delete', target);
  const [shown, setShown] = useState<'name' | 'delete'>();
  // A reply of one's own makes one follow it: asked anew after each.
  const own = useLastOwn(threadId);
  const following = useAsked(`${threadId} ${own}`, () =>
    api(channel.serverId).threadFollowing({ id: threadId }),
  );
  const session = useSession();
  const { keep } = following;
  // Also what another device of the person has set.
  useEffect(
    () =>
      session.onEvent((event) => {
        if (event.type === 'following.updated' && event.data.threadId === threadId) keep(() => event.data);
      }),
    [session, threadId, keep],
  );
  if (!thread) return null;
  const { id, serverId, channelId, messageId, name, locked, replyCount } = thread;
  const calls = api(serverId);
  const place = { page: 'server', serverId, channelId } as const;
  const close = () => setShown(undefined);
  const setLocked = () => calls.threadUpdate({ threadId: id, locked: !locked }).catch(toast.error);
  const copyLink = async () => {
    await copyText(location.origin + pathOf({ ...place, threadId: id }));
    toast.show(common.copied);
  };
  const no = t.notYours;
  const isFollowing = following.data?.following;
  const setFollowing = async () => {
    const next = await calls.threadFollow({ id, following: !isFollowing });
    following.keep(() => next);
    toast.show(next.following ? t.followed : t.unfollowed);
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
      onSelect: () => void setFollowing().catch(toast.error),
    },
    'line',
    {
      label: t.rename,
      icon: 'pencil',
      isDisabled: !update.allowed,
      note: update.allowed ? undefined : no,
      onSelect: () => setShown('name'),
    },
    {
      label: locked ? t.unlock : t.lock,
      icon: 'lock',
      isDisabled: !update.allowed,
      note: update.allowed ? undefined : no,
      onSelect: () => void setLocked(),
    },
    {
      label: t.delete,
      icon: 'trash',
      isDanger: true,
      isDisabled: !remove.allowed,
      note: remove.allowed ? undefined : no,
      onSelect: () => setShown('delete'),
    },
  ];
  return (
    <>
      <Menu label={t.more} items={items} placement="below-end">
        {(trigger) => <IconButton {...trigger} icon="ellipsis" label={t.more} />}
      </Menu>
      {shown === 'name' && (
        <Dialog title={t.rename} size="s" onClose={close}>
          <Form
            onCancel={close}
            onSubmit={async (values) => {
              await calls.threadUpdate({ threadId: id, name: values.optional('name')?.trim() || null });
              close();
            }}
          >
            <TextField label={common.name} name="name" defaultValue={name ?? ''} maxLength={100} autoFocus />
          </Form>
        </Dialog>
      )}
      {shown === 'delete' && (
        <Confirm
          title={t.deleteAsk}
          text={t.deleteMore({ replies: replyCount })}
          action={t.delete}
          isDanger
          onClose={close}
          onConfirm={async () => {
            await calls.threadDelete({ threadId: id });
            navigate(place, { replace: true });
          }}
        />
      )}
    </>
  );
}
