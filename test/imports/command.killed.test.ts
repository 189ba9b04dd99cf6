import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { zipped } from '../support/archives.ts';
import { askData } from '../support/askData.ts';
import { engine } from '../support/databases.ts';
import { call, gone, Stage, until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const KILLS = 10;
/** The number of messages. Importing them takes more than ten transactions. */
const MESSAGES = 30_000;
const FROM = 1_700_000_000;

const stage = new Stage();
after(() => stage.close());

/** A Slack export with messages, replies, reactions, pins and files. */
function archive(): string {
  const users = ['U1', 'U2', 'U3'].map((id) => ({ id, name: id.toLowerCase(), profile: { real_name: id } }));
  const ts = (index: number) => `${FROM + index}.000100`;
  const day = Array.from({ length: MESSAGES }, (_, index) => ({
    ...{ type: 'message', user: `U${1 + (index % 3)}`, text: `history ${index}`, ts: ts(index) },
    ...(index % 7 === 3 && { thread_ts: ts(index - (index % 100)) }),
    ...(index % 10 === 0 && { reactions: [{ name: 'wave', users: ['U1', 'U2'], count: 5 }] }),
    ...(index % 500 === 0 && { files: [{ id: `F${index}`, name: `${index}.txt`, size: 10 }] }),
    ...(index % 1_000 === 0 && { pinned_to: ['C1'] }),
  }));
  const files = day.flatMap((message) => ('files' in message && message.files) || []);
  const path = join(stage.folder(), 'slack.zip');
  const content = {
    'users.json': JSON.stringify(users),
    'channels.json': JSON.stringify([
      { id: 'C1', name: 'harbour', created: FROM, creator: 'U1', members: ['U1', 'U2'] },
    ]),
    'harbour/2023-11-14.json': JSON.stringify(day),
    ...Object.fromEntries(files.map(({ id, name }) => [`attachments/${id}-${name}`, `File ${id}`])),
  };
  writeFileSync(path, zipped(content));
  return path;
}

const path = archive();

interface Target {
  args: string[];
  place: { data: string; database?: string | undefined };
}

/** The data of a stopped node, and the arguments that import into it. */
async function target(): Promise<Target> {
  const folder = stage.folder();
  const node = await stage.start(folder);
  const { server } = (await call(node, 'GET', '/api/v1/users/me', { key: node.key })).body.data;
  await node.end('SIGTERM');
  const place = engine === 'postgres' ? await stage.place(folder) : { data: folder };
  const args = ['import', path, '--from', 'slack', '--server', server.id, '--data', folder, '--json'];
  return { args, place };
}

const ofMessage = 'join message m on m.id = x."messageId"';
/** Everything that an import writes, except ids, which differ between servers. */
const queries = [
  `select substr(x.content, 1, 20) as content, x."createdAt", x.type, x.reactions, x.pinned, u.username, c.name, t."createdAt" as thread
    from message x join "user" u on u.id = x."creatorId" join channel c on c.id = x."channelId"
    left join thread t on t.id = x."threadId" order by x."createdAt"`,
  `select m."createdAt" as message, x.emoji, u.username from reaction x ${ofMessage}
    join "user" u on u.id = x."userId" order by m."createdAt", u.username`,
  `select m."createdAt" as message, x.name, x.bytes, x.type from attachment x ${ofMessage} order by m."createdAt"`,
  `select m."createdAt" as message, x."createdAt" from pin x ${ofMessage} order by m."createdAt"`,
  'select "createdAt", "replyCount", "lastReplyAt" from thread order by "createdAt"',
  'select username, name, type from "user" order by username',
  'select name, private, readonly from channel order by name',
  'select u.username from "serverMember" x join "user" u on u.id = x."userId" order by u.username',
  'select "memberCount" from server',
  `select u.username, m."createdAt" from "channelReading" x join "user" u on u.id = x."userId" left join ${ofMessage.slice(5)}
    order by u.username, m."createdAt"`,
  'select count(*) as n from "unfinishedImport"',
];
const resultOf = async ({ place }: Target): Promise<string[]> => {
  const found = [];
  for (const query of queries) found.push(JSON.stringify(await askData(place, query)));
  return found;
};

/**
 * The number of messages in the data. Retries while SQLite's file is locked, which may happen for a moment
 * after a kill.
 */
async function written(of: Target): Promise<number> {
  const rows = await askData(of.place, 'select count(*) as n from message').catch((error) => {
    if (/locked/.test(error.message)) return undefined;
    throw error;
  });
  return rows ? Number(rows[0]?.n) : written(of);
}

/** The numbers of messages in the events that end imports. */
async function announced({ place }: Target): Promise<number[]> {
  const events = await askData(place, `select data from event where type = 'import.finished' order by seq`);
  return events.map(({ data }: Json) => (typeof data === 'string' ? JSON.parse(data) : data).messages);
}

test(`an import that is killed ${KILLS} times has the same result as an uninterrupted one, and repeating it changes nothing`, async () => {
  const whole = await target();
  const unbroken = await stage.run(whole.args);
  assert.equal(unbroken.code, 0, unbroken.stderr);
  const expected = await resultOf(whole);

  const killed = await target();
  const native = await written(killed);
  for (let kills = 1; kills <= KILLS; kills++) {
    const before = await written(killed);
    const child = await stage.spawn(killed.args);
    await until(async () => child.exitCode !== null || (await written(killed)) > before, 60_000, 1);
    child.kill('SIGKILL');
    await gone(child);
    const now = await written(killed);
    assert.ok(now > before && now < MESSAGES + native, `${kills}: killed at ${now} messages`);
  }
  const last = await stage.run(killed.args);
  assert.equal(last.code, 0, last.stderr);
  for (const [index, text] of (await resultOf(killed)).entries())
    assert.equal(text, expected[index], `${queries[index]}`);
  assert.deepEqual([await announced(killed), await announced(whole)], [[MESSAGES], [MESSAGES]]);
  const report = JSON.parse(last.stdout).messages;
  assert.equal(report.written + report.present, MESSAGES);

  const again = await stage.run(killed.args);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(JSON.parse(again.stdout).messages.written, 0);
  assert.deepEqual(await resultOf(killed), expected);
  assert.deepEqual(await announced(killed), [MESSAGES]);
});
