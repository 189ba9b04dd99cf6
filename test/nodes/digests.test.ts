import assert from 'node:assert/strict';
import { ask } from '../support/databases.ts';
import { MailServer } from '../support/mailServer.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { until } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const NODES = 3;
const PEOPLE = 20;
const PAST_MS = 11 * 60_000;

let site: Site;
let mails: MailServer;
before(async () => {
  mails = await MailServer.open();
  const { server, sender } = mails.settings('');
  site = await Site.open(NODES, {
    PALAVER_ADDRESS: 'https://chat.example.com',
    PALAVER_MAIL: server,
    PALAVER_MAIL_FROM: sender.address,
    PALAVER_MAIL_TLS: 'off',
  });
});
after(async () => {
  await site?.close();
  await mails?.stop();
});

const sql = (text: string, values: unknown[] = []) => ask(site.database, text, values) as Promise<Json[]>;

/** Members with a verified address who want digests, and who missed two mentions. */
async function missing(): Promise<string[]> {
  const usernames: string[] = [];
  const [server] = await sql('select id from server');
  for (let at = 0; at < PEOPLE; at++) {
    const username = `person-${at}`;
    const { code, stderr } = await site.run(['user', 'create', '--username', username]);
    assert.equal(code, 0, stderr);
    usernames.push(username);
    const added = await site.run(['member', 'add', '--server', server?.id, '--username', username]);
    assert.equal(added.code, 0, added.stderr);
  }
  await sql(`insert into person (id, "createdAt", "updatedAt", email, "emailVerified")
    select id, 0, 0, username || '@example.org', true from "user" where username like 'person-%'`);
  await sql(`insert into "emailDigest" (id, "createdAt", "updatedAt", "waitMs", "notificationId")
    select id, 0, 0, 1200000, '00000000-0000-7000-8000-000000000000' from "user" where username like 'person-%'`);
  for (let first = 0; first < PEOPLE; first += 10) {
    const names = usernames.slice(first, first + 10).map((name) => `@${name}`);
    for (const node of [0, 1])
      await site.make('/messages', { channelId: site.channelId, content: names.join(' ') }, node);
  }
  return usernames;
}

test('three nodes email each person exactly one digest, even if two of them are killed', async () => {
  const usernames = await missing();
  const [{ amount }] = (await sql(
    'select count(*)::int as amount from "emailDigest" where "dueAt" is not null',
  )) as [Json];
  assert.equal(amount, PEOPLE);
  // The mail server defers everything, so the emails are queued when the nodes are killed.
  mails.refusals.push(...Array.from({ length: 10 * PEOPLE }, () => 451));
  await sql('update notification set "createdAt" = "createdAt" - $1', [PAST_MS]);
  await sql('update "emailDigest" set "dueAt" = "dueAt" - $1', [PAST_MS]);
  const queued = () => sql(`select "userId", attempts, "dueAt" from mail where kind = 'digest'`);
  await until(async () => (await queued()).length > 0, 60_000);
  await Promise.all([site.at(0).end('SIGKILL'), site.at(1).end('SIGKILL')]);
  await until(async () => (await queued()).length === PEOPLE, 60_000);
  mails.refusals.length = 0;
  await until(async () => {
    await sql(`update mail set "dueAt" = 0 where kind = 'digest' and "dueAt" is not null`);
    return (await queued()).every(({ dueAt }) => dueAt === null);
  }, 60_000);
  const addresses = mails.mails.map(({ to }) => to).sort();
  assert.deepEqual(addresses, usernames.map((name) => `${name}@example.org`).sort());
  assert.equal(new Set(mails.mails.map(({ headers }) => headers['message-id'])).size, PEOPLE);
  const [digest] = mails.mails;
  assert.equal(digest?.headers.subject, 'You have 2 unread messages');
  const { search } = new URL(digest?.headers['list-unsubscribe']?.slice(1, -1) ?? '');
  // Any node can verify the signature, and one POST is enough.
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  const answer = await fetch(`${site.at(2).url}/unsubscribe${search}`, { method: 'POST', body });
  assert.equal(answer.status, 200);
  const left = await sql('select id from "emailDigest"');
  assert.equal(left.length, PEOPLE - 1);
});
