import { api, type Records } from '../../api/index.ts';
import type { Session } from '../../replica/index.ts';
import { search as t } from '../../strings/en/panels.ts';
import { fold } from '../../ui/fold.ts';
import { boundsOf, type Query } from './query.ts';

/** A page of results. */
export interface Found {
  ids: string[];
  nextCursor: string | null;
}

const PAGE = 25;

/**
 * Loads a page of messages in a server that match a query, newest first. Throws an Error with a message to
 * show if the user or channel named in a filter does not exist.
 */
export async function find(
  { replica, actions }: Session,
  serverId: string,
  query: Query,
  cursor: string | undefined,
): Promise<Found> {
  const { words, is, has, mentions } = query;
  const creatorId = query.from === undefined ? undefined : await personOf(serverId, query.from, replica);
  const channelId = query.in === undefined ? undefined : channelOf(serverId, query.in, replica);
  const input = {
    limit: PAGE,
    expand: 'creator',
    ...boundsOf(query),
    ...(words !== '' && { q: words }),
    ...(creatorId !== undefined && { creatorId }),
    ...((is === 'person' || is === 'agent') && { type: is }),
    ...(is === 'thread' && { isThreadReply: true }),
    ...(is === 'pinned' && { pinned: true }),
    ...(has === 'file' && { hasFile: true }),
    ...(has === 'link' && { hasLink: true }),
    ...(mentions === 'me' && { mentionsMe: true }),
    ...(cursor !== undefined && { cursor }),
  };
  const page = await actions.load(
    () =>
      channelId === undefined
        ? api(serverId).serverMessages({ ...input, serverId })
        : api(serverId).channelMessages({ ...input, channelId }),
    (messages) => ({
      message: [...messages] as Records['ShownMessage'][],
      user: Object.values(messages.expanded?.users ?? {}),
    }),
  );
  return { ids: page.map(({ id }) => id), nextCursor: page.nextCursor };
}

async function personOf(serverId: string, name: string, replica: Session['replica']): Promise<string> {
  const username = name.toLowerCase();
  const [known] = replica.rows('user', 'username', username);
  if (known) return known.id;
  const [member] = await api(serverId).serverMembers({ serverId, usernames: username });
  if (!member) throw new Error(t.noPerson({ name }));
  return member.userId;
}

function channelOf(serverId: string, name: string, replica: Session['replica']): string {
  // A direct message is identified by its id, because most have no name.
  const direct = replica.row('channel', name);
  if (direct?.kind === 'dm' && direct.serverId === serverId) return direct.id;
  const channels = replica.rows('channel', 'serverId', serverId);
  const wanted = fold(name);
  const channel =
    channels.find((one) => one.name === name) ?? channels.find((one) => fold(one.name) === wanted);
  if (!channel) throw new Error(t.noChannel({ name }));
  return channel.id;
}
