// @run waits: waits until another process takes over the merge of a killed one
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { askData } from '../support/askData.ts';
import { engine } from '../support/databases.ts';
import { channelOf, exportOf, grace, idAt } from '../support/moving.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const KILLS = 3;
const MESSAGES = 40_000;
const REACTIONS = 3_000;
/** The number of reactions that both the account and the imported person have. */
const SHARED = 5;
/** The longest time until a claim by a killed process expires, and a little more. */
const TAKEOVER_MS = 60_000;
const at = Date.now() - 3_600_000;

const stage = new Stage();
after(() => stage.close());

/** An archive of two people, one of whom has many rows. */
function archive(): string {
  const person = { ...grace, id: idAt(at - 1_000, 1), createdAt: at - 1_000 };
  const linus = { ...person, id: idAt(at - 1_000, 2), username: 'linus', name: 'Linus' };
  const pier = { ...channelOf(at, 'harbour'), id: idAt(at, 3), creatorId: person.id };
  const den = { ...pier, id: idAt(at, 4), name: 'den', private: true, memberIds: [person.id] };
  const dm = idAt(at, 5);
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    ...{ id: idAt(at + index, 10 + index), createdAt: at + index, editedAt: null, type: 'person' },
    channelId: index % 10 === 0 ? dm : index % 7 === 0 ? den.id : pier.id,
    creatorId: index % 5 === 0 ? linus.id : person.id,
    content: `history ${index}`,
  }));
  const reactions = messages
    .filter(({ channelId }) => channelId === pier.id)
    .slice(0, REACTIONS)
    .map(({ id: messageId, createdAt }, index) => ({
      ...{ id: idAt(createdAt, 50_000 + index), createdAt, messageId, userId: person.id, emoji: '👍' },
    }));
  const conversations = [
    { id: dm, createdAt: at, name: null, memberIds: [person.id, linus.id], creatorId: person.id },
  ];
  const rows = { people: [person, linus], channels: [pier, den], conversations, messages, reactions };
  return exportOf(join(stage.folder(), 'export'), rows);
}
const archivePath = archive();
const person = idAt(at - 1_000, 1);

/** The rows that a merge changes, in a form that is the same for every server. */
const queries = [
  'select id, "channelId", "creatorId", reactions from message order by id',
  'select "messageId", "userId", emoji from reaction order by "messageId", "userId"',
  `select id, "memberIds", "creatorId" from channel where id < '${idAt(at + 1)}' order by id`,
  'select "channelId", "userId" from "channelMember" order by "channelId", "userId"',
  'select "userId" from "serverMember" order by "userId"',
  'select "userId", "roleId" from "userRole" order by "userId"',
  'select "memberCount" from server',
  'select id, "accountId", "claimedAt" is null as a, "mergedAt" is null as b, place, "serverIds" from placeholder order by id',
  "select command, about from audit where command in ('user merge', 'user claim') order by command",
  "select type from event where type = 'import.finished'",
  "select kind from timer where kind = 'merge'",
];

interface Began {
  node: Running;
  folder: string;
  place: { data: string; database?: string };
  /** The placeholders for ids that differ between servers. */
  names: Map<string, string>;
}

/** A server with an imported person that the first account has just claimed with a link. */
async function claimed(): Promise<Began> {
  const folder = stage.folder();
  let node = await stage.start(folder);
  const { key } = node;
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const answer = await call(node, 'POST', path, { headers, body });
    assert.equal(answer.status, 200, answer.text);
    return answer;
  };
  const none = { 'palaver-server': 'none' };
  const token = /link_plv_\w+/.exec(node.output())?.[0];
  const password = 'a horse that nobody rides';
  const signedIn = await post('/api/people/links/claim', { token, password }, none);
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const { server, id } = (await call(node, 'GET', '/api/v1/users/me', { key })).body.data;
  await node.end('SIGTERM');
  const ran = await stage.run([
    'import',
    archivePath,
    '--from',
    'palaver',
    '--server',
    server.id,
    '--data',
    folder,
  ]);
  assert.equal(ran.code, 0, ran.stderr);
  node = await stage.start(folder);
  const place = engine === 'postgres' ? await stage.place(folder) : { data: folder };
  const roles = await askData(place, 'select id, name from role order by name');
  const shared = await askData(place, `select "messageId" from reaction order by id limit ${SHARED}`);
  for (const { messageId } of shared)
    await post(
      '/api/v1/reactions',
      { messageId, emoji: '👍' },
      { ...none, 'palaver-server': server.id, cookie },
    );
  const link = await post(
    `/api/people/platform/users/${person}/link`,
    { purpose: 'claim' },
    { ...none, cookie },
  );
  const [, given] = link.body.data.path.split('#');
  await post('/api/people/links/merge', { token: given }, { ...none, cookie });
  const names = new Map([
    [signedIn.body.data.id, 'ACCOUNT'],
    [id, 'ACCOUNT'],
    [server.id, 'SERVER'],
    ...roles.map((role: Json) => [role.id, `ROLE ${role.name}`] as const),
  ]);
  return { node, folder, place, names };
}

const left = async ({ place }: Began): Promise<number> =>
  Number((await askData(place, `select count(*) as n from message where "creatorId" = '${person}'`))[0]?.n);

async function ended({ place }: Began): Promise<void> {
  const isOver = async () =>
    (await askData(place, `select "mergedAt" from placeholder where id = '${person}'`))[0]?.mergedAt != null;
  await until(isOver, TAKEOVER_MS * 2, 50);
}

/** All rows that a merge changes. Rows added by the node itself have different ids in each server. */
async function result({ place, names }: Began): Promise<string[]> {
  const found: string[] = [];
  for (const query of queries) {
    let text = JSON.stringify(await askData(place, query));
    for (const [id, name] of names) text = text.replaceAll(id, name);
    found.push(text);
  }
  return found;
}

test(`a merge that is killed ${KILLS} times makes the same changes as an uninterrupted one, once`, async () => {
  const whole = await claimed();
  await ended(whole);
  await whole.node.end('SIGTERM');
  const killed = await claimed();
  const all = (MESSAGES * 4) / 5;
  for (let kills = 1; kills <= KILLS; kills++) {
    await until(async () => (await left(killed)) < all * (1 - kills * 0.12), TAKEOVER_MS, 1);
    assert.ok((await left(killed)) > 0, 'killed in the middle');
    await killed.node.end('SIGKILL');
    killed.node = await stage.start(killed.folder);
  }
  await ended(killed);
  const [expected, found] = [await result(whole), await result(killed)];
  for (const [index, query] of queries.entries()) assert.equal(found[index], expected[index], query);
  assert.equal(await left(killed), 0);
  assert.deepEqual(JSON.parse(found.at(-2) as string).length, 2, 'the import and the merge');
  assert.ok(found[1]?.includes('ACCOUNT') && !found[1].includes(person));
});
