import type { Caller } from '../../access/authenticator.ts';
import type { Reads } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import type { Uploaded } from './uploads.ts';

/** Responses in Discord's format, for clients that read them. They contain no token. */

/** Discord's type number for an incoming webhook. */
const INCOMING = 1;

/** Returns the webhook itself. Clients request it to check the URL before they post. */
export const discordWebhook = async (db: Reads, { credential, principal }: Caller): Promise<object> => ({
  id: 'id' in credential ? credential.id : principal.userId,
  type: INCOMING,
  name: await nameOf(db, principal.userId),
  avatar: null,
  channel_id: 'channelId' in credential ? credential.channelId : null,
  guild_id: principal.serverId,
  application_id: null,
});

/** Returns the message, for `?wait=true`. `origin` is the base URL of its files. */
export async function discordMessage(
  db: Reads,
  { credential, principal }: Caller,
  message: { id: string; channelId: string; content: string; createdAt: number },
  { files, origin }: { files: readonly Uploaded[]; origin: string },
): Promise<object> {
  return {
    id: message.id,
    type: 0,
    channel_id: message.channelId,
    content: message.content,
    author: {
      id: principal.userId,
      username: await nameOf(db, principal.userId),
      discriminator: '0000',
      avatar: null,
      bot: true,
    },
    timestamp: new Date(message.createdAt).toISOString(),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: files.map(({ id, name, type, bytes, width, height }) => {
      const url = `${origin}/api/v1/attachments/${id}/content`;
      const size = width === null || height === null ? {} : { width, height };
      return { id, filename: name, content_type: type, size: bytes, url, proxy_url: url, ...size };
    }),
    embeds: [],
    components: [],
    pinned: false,
    flags: 0,
    ...('id' in credential && { webhook_id: credential.id }),
  };
}

async function nameOf(db: Reads, userId: string): Promise<string> {
  const user = await db.first(q.selectFrom('user').select(['name', 'username']).where('id', '=', userId));
  return user?.name ?? user?.username ?? '';
}
