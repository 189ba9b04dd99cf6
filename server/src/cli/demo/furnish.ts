import type { Data } from '../../node/data.ts';
import type { FirstRun } from '../../node/firstRun.ts';
import { change } from '../../resources/change.ts';
import { createKey } from '../records/key.ts';
import { createUser } from '../records/user.ts';
import { ask, dataOf, type Remote } from '../remote/remote.ts';
import { harbour } from './picture.ts';
import { BOT, channels, type Line, lines, notes, type Person, people, SERVER_NAME, table } from './script.ts';

type Saved = { id: string };

/** Sends a record to the server. Returns the saved record. */
async function send(remote: Remote, method: 'POST' | 'PATCH', path: string, body: object): Promise<Saved> {
  const headers = { 'content-type': 'application/json' };
  return dataOf<Saved>(await ask(remote, path, { method, headers, body: JSON.stringify(body) }));
}

const files: Record<NonNullable<Line['file']>, () => File> = {
  picture: () => new File([new Uint8Array(harbour())], 'harbour.png', { type: 'image/png' }),
  table: () => new File([table], 'figures.csv', { type: 'text/csv' }),
  notes: () => new File([notes], 'runbook.md', { type: 'text/markdown' }),
};

/**
 * Creates the demo's data through the API: channels, people, messages, threads, reactions and files. Returns
 * the server's URL with the key of the demo's bot.
 */
export async function furnish(data: Data, url: string, first: FirstRun): Promise<Remote> {
  const admin: Remote = { url, key: first.key };
  const me = await dataOf<{ server: Saved }>(await ask(admin, '/users/me'));
  const serverId = me.server.id;
  await send(admin, 'PATCH', `/servers/${serverId}`, { name: SERVER_NAME });

  const keys = await change(data, async (work) => {
    const made = {} as Record<Person | 'guide', string>;
    for (const [username, name] of Object.entries(people)) {
      const user = await createUser(work, { username, name });
      made[username as Person] = (await createKey(work, { server: serverId, user: user.id })).key;
    }
    const bot = await createUser(work, { ...BOT, agent: true });
    made.guide = (await createKey(work, { server: serverId, user: bot.id })).key;
    return made;
  });
  const remoteOf = (who: Person | 'guide'): Remote => ({ url, key: keys[who] });

  const channelIds = new Map<string, string>();
  for (const { name, description } of channels)
    channelIds.set(
      name,
      name === 'general'
        ? (await send(admin, 'PATCH', `/channels/${first.channelId}`, { description })).id
        : (await send(admin, 'POST', '/channels', { name, description })).id,
    );

  const named = new Map<string, string>();
  const threads = new Map<string, string>();
  for (const line of lines) {
    const remote = remoteOf(line.by);
    const attachmentIds = line.file ? [await upload(remote, files[line.file]())] : undefined;
    const place = {
      channelId: channelIds.get(line.in),
      ...(line.replyTo && { replyToId: named.get(line.replyTo) }),
    };
    const at = line.thread ? { threadId: await threadOn(remote, line.thread, named, threads) } : place;
    const { id } = await send(remote, 'POST', '/messages', { ...at, content: line.content, attachmentIds });
    if (line.as) named.set(line.as, id);
    for (const [index, emoji] of (line.reactions ?? []).entries())
      for (const who of (Object.keys(people) as Person[]).filter((one) => one !== line.by).slice(index))
        await send(remoteOf(who), 'POST', '/reactions', { messageId: id, emoji });
    if (line.isPinned) await send(admin, 'POST', '/pins', { messageId: id });
  }
  return remoteOf('guide');
}

/** Returns the id of the thread that a message belongs to. The first message in a thread creates it. */
async function threadOn(
  remote: Remote,
  [root, name]: NonNullable<Line['thread']>,
  named: ReadonlyMap<string, string>,
  threads: Map<string, string>,
): Promise<string> {
  const known = threads.get(root);
  if (known) return known;
  const { id } = await send(remote, 'POST', '/threads', { messageId: named.get(root), name });
  threads.set(root, id);
  return id;
}

async function upload(remote: Remote, file: File): Promise<string> {
  const form = new FormData();
  form.append('file', file);
  return (await dataOf<Saved>(await ask(remote, '/attachments', { method: 'POST', body: form }))).id;
}
