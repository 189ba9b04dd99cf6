import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPalaver, personIn } from '../client/src/index.ts';
import { addSession } from '../server/src/accounts/session.ts';
import { createKey } from '../server/src/cli/records/key.ts';
import { createMember } from '../server/src/cli/records/member.ts';
import { createServer } from '../server/src/cli/records/server.ts';
import { createUser } from '../server/src/cli/records/user.ts';
import { type Data, openData } from '../server/src/node/data.ts';
import { startNode } from '../server/src/node/node.ts';
import { change } from '../server/src/resources/change.ts';

const names = { ada: 'Ada Okafor', ben: 'Ben Lindqvist', chidi: 'Chidi Adeyemi', mei: 'Mei Tanaka' };
type Name = keyof typeof names;
type Person = ReturnType<typeof personIn>;

const lines: readonly [Name, string, string?][] = [
  [
    'ada',
    'Good morning! The release went out at 07:10. Error rate is flat, p99 went from 48 to **31 ms**.',
    '🎉',
  ],
  ['ben', 'Nice. I was about to ask whether the index had been built before the deploy.'],
  [
    'ben',
    'I will write it up for the runbook:\n\n```sh\npalaver doctor --data /var/lib/palaver\npalaver backup /backups/$(date +%F)\n```',
  ],
  [
    'chidi',
    '> Error rate is flat\n\nConfirmed from my side, @ada. Two customers wrote to say that search feels instant now.',
    '❤️',
  ],
  [
    'mei',
    'Then these stand for the demo:\n\n| | before | now |\n|---|--:|--:|\n| page of 50 | 9 ms | 2 ms |\n| search | 84 ms | 12 ms |',
  ],
  ['ada', 'Let us show that on Thursday. Ben, would you take the first part? I take the questions.', '👍'],
];
const deployed =
  '**v2026.03.2** is on all nodes, in 4 min 12 s. [What changed](https://example.com/releases/2026.03.2)';
/** A message that is sent after the others have been read. */
const latest = 'Gladly. Rehearsal tomorrow at ten, in #design?';

/** Demo data: a small company and its conversation, on a separate node. */
export interface Company {
  /** The node's URL. */
  origin: string;
  serverId: string;
  /** The channel with the conversation, and a thread in it. */
  channelId: string;
  threadId: string;
  /** The owner's session, as the value of the cookie `palaver`. */
  session: string;
  /** Stops the node and deletes the data. */
  close(): Promise<void>;
}

/** Starts a node and creates the company's conversation. */
export async function openCompany(): Promise<Company> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-company-'));
  const data = await openData({ data: folder });
  const { serverId, key, tokens } = await addPeople(data);
  await data.db.close();

  const node = await startNode({ data: { data: folder }, listen: {} });
  const origin = node.url.replace('127.0.0.1', 'localhost');
  const as = (name: Name) =>
    personIn({
      baseUrl: origin,
      serverId,
      fetch: (request, init) => {
        request.headers.set('cookie', `palaver=${tokens[name]}`);
        return fetch(request, init);
      },
    });

  const ada = as('ada');
  await addChannels(ada);
  const { channels } = await ada.serverSnapshot({ id: serverId });
  const idOf = (channel: string): string => {
    const found = channels.find(({ name }) => name === channel);
    if (!found) throw new Error(`no channel named ${channel}`);
    return found.id;
  };
  const channelId = idOf('general');
  await createPalaver({ baseUrl: origin, key }).messageSend({ channelId, content: deployed });
  const { threadId, first } = await converse(as, channelId);
  await ada.pinInsert({ messageId: first });
  for (const fields of [
    { name: 'Moderator', color: '#1d559e', canModerate: true, canEditData: true },
    { name: 'Release', color: '#8a4b00', canEditChannel: true, canEditData: true },
  ])
    await ada.roleInsert(fields);
  await ada.secretInsert({ kind: 'apiKey', name: 'Alerts of Grafana' });
  await ada.personReadAll({ serverId });
  await as('ben').messageSend({ channelId, content: latest });
  await as('chidi').messageSend({
    channelId: idOf('incidents'),
    content: '@ada, the alert of 06:40 is closed.',
  });
  await as('mei').messageSend({
    channelId: idOf('design'),
    content: 'The empty states are ready to look at.',
  });
  return {
    origin,
    serverId,
    channelId,
    threadId,
    session: tokens.ada,
    close: async () => {
      await node.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates the people with their sessions, their servers, and an agent with a key. */
async function addPeople(data: Data) {
  const tokens = {} as Record<Name, string>;
  const added = await change(data, async (work) => {
    let id = '';
    let owner = '';
    for (const [username, name] of Object.entries(names)) {
      const user = await createUser(work, { username, name });
      if (id === '') {
        owner = user.id;
        ({ id } = await createServer(work, { name: 'Northwind', owner }));
      } else await createMember(work, { server: id, user: user.id });
      tokens[username as Name] = (await addSession(work, { userId: user.id, device: null })).token;
    }
    for (const name of ['Open Harbour', 'Chess on Fridays']) await createServer(work, { name, owner });
    const bot = await createUser(work, { username: 'deploy', name: 'Deploy', agent: true });
    const { key } = await createKey(work, { server: id, user: bot.id, name: 'Deploy to production' });
    return { serverId: id, key };
  });
  return { ...added, tokens };
}

async function addChannels(owner: Person): Promise<void> {
  for (const [name, description] of [
    ['general', 'Announcements and topics for everyone'],
    ['incidents', 'Grafana alerts and incidents'],
    ['design', 'Screens, copy and colours'],
    ['random', null],
  ] as const)
    await owner.channelInsert({ name, description });
  await owner.channelInsert({ name: 'board', private: true });
}

/** Sends the messages to a channel, and to a thread about the first one. */
async function converse(as: (name: Name) => Person, channelId: string) {
  for (const [name, content, emoji] of lines) {
    const { id: messageId } = await as(name).messageSend({ channelId, content });
    if (!emoji) continue;
    for (const other of ['ben', 'chidi', 'mei'] as const)
      await as(other).reactionInsert({ messageId, emoji });
  }
  const { messages } = await as('ada').channelView({ id: channelId });
  const first = messages.find(({ content }) => content === lines[0]?.[1])?.id ?? '';
  const thread = await as('ben').threadInsert({ messageId: first, name: "This morning's release" });
  await as('mei').messageSend({ threadId: thread.id, content: 'Which index was it, `message_channel`?' });
  await as('ada').messageSend({
    threadId: thread.id,
    content: 'Yes. It took 40 s for a million rows, with no downtime.',
  });
  return { threadId: thread.id, first };
}
