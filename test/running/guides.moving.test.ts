import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accountOf, Browser, linkFor, PASSWORD } from '../support/account.ts';
import { type Files, tarred, unpack, zipped } from '../support/archives.ts';
import { discordSample } from '../support/discordSample.ts';
import { dataOf } from '../support/expect.ts';
import { blocksOf } from '../support/guides.ts';
import { mattermostSample } from '../support/mattermostSample.ts';
import { Stage } from '../support/process.ts';
import { rocketchatSample } from '../support/rocketchatSample.ts';
import { slackSample } from '../support/slackSample.ts';
import { find, update } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';
import { zulipSample } from '../support/zulipSample.ts';

// Follows the guides "Moving from …" with a sample export from each product.

const stage = new Stage();
let world: World;
let key: Client;
let root: Json;
const guides = join(import.meta.dirname, '..', '..', 'docs', 'guides');
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  const owner = await world.user({ username: 'ada' });
  root = await world.user({ platformAdmin: true });
  key = await world.client(await world.server(owner), ['canViewData'], root);
});
after(async () => {
  await world.close();
  await stage.close();
});

const samples: Record<string, Files> = {
  slack: slackSample,
  discord: discordSample,
  mattermost: mattermostSample,
  zulip: zulipSample,
  rocketchat: rocketchatSample,
};

/** Puts a sample where a guide expects the export. */
function exportAt(path: string, files: Files): void {
  if (path.endsWith('.zip')) writeFileSync(path, zipped(files));
  else if (path.endsWith('.tar.gz')) writeFileSync(path, tarred(files));
  else unpack(files, path);
}

for (const [source, files] of Object.entries(samples))
  test(`moving from ${source} works as its guide says`, async () => {
    const [block, ...others] = blocksOf(`moving-from-${source}.md`).filter(
      ({ language }) => language === 'sh',
    );
    assert.equal(others.length, 0);
    const [variables, ...commands] = (block?.code ?? '').trimEnd().split('\n');
    assert.equal(variables, 'export PALAVER_URL=https://chat.example.com PALAVER_KEY=sk_live_…');
    assert.equal(commands.length, 2);
    const folder = stage.folder();
    const reports: string[] = [];
    for (const line of commands) {
      const [npx, palaver, name, file = '', ...options] = line.split(' ');
      assert.deepEqual([npx, palaver, name], ['npx', 'palaver', 'import']);
      const path = join(folder, file);
      if (reports.length === 0) exportAt(path, files);
      const environment = { PALAVER_URL: world.url, PALAVER_KEY: key.key };
      const { code, stdout, stderr } = await stage.run(['import', path, ...options, '--json'], environment);
      assert.equal(code, 0, `${stderr}\n${reports[0]}\n${stdout}`);
      reports.push(stdout);
    }
    assert.deepEqual(JSON.parse(reports[1] as string), JSON.parse(reports[0] as string), 'as planned');
    const { server, messages, people } = JSON.parse(reports[1] as string);
    assert.ok(messages.written > 5 && people.written > 2, `${reports[1]}`);
    const rows = await world.data.db.read.all(find('message', { serverId: server }));
    assert.ok(rows.length >= messages.written, `${rows.length} messages`);
    await invitePeople(source, server);
  });

/** Claims imported people as described in the guide's section “Invite people”. */
async function invitePeople(source: string, serverId: string): Promise<void> {
  const guide = readFileSync(join(guides, `moving-from-${source}.md`), 'utf8');
  assert.ok(guide.includes('## Invite people'), source);
  const admin = await Browser.of(world, root);
  const unclaimed = async (): Promise<Json[]> =>
    dataOf(await admin.get(`/platform/users?unclaimed=true&serverId=${serverId}`));
  const people = await unclaimed();
  const placeholders = await Promise.all(
    people.map(({ id }) => world.data.db.read.first(find('placeholder', { id }))),
  );
  const addressed = placeholders.find((row) => row?.email != null);
  assert.equal(addressed === undefined, guide.includes('contain no email addresses'), source);
  const claimed = new Set<string>();
  if (addressed) {
    const { token } = await linkFor(world, undefined, 'signUp', addressed.email);
    const body = { username: world.unique('claims'), password: PASSWORD, token };
    const { id } = dataOf(await new Browser(world).post('/sign-up', body));
    claimed.add(addressed.id);
    // Other products' samples have the same addresses.
    const none = { email: null, emailVerified: false };
    await world.data.db.write((tx) => tx.run(update('person', id, none)));
  }
  const ids = people.map(({ id }) => id).filter((id) => !claimed.has(id));
  const links = ids.length === 0 ? [] : dataOf(await admin.post('/platform/users/links', { ids })).links;
  assert.deepEqual(
    links.map(({ userId }: Json) => userId),
    ids,
  );
  for (const { userId, path } of links.slice(0, 1)) {
    const { browser } = await accountOf(world);
    dataOf(await browser.post('/links/merge', { token: path.split('#')[1] }));
    claimed.add(userId);
  }
  assert.ok(claimed.size > 0, source);
  assert.deepEqual(
    (await unclaimed()).map(({ id }) => id),
    people.map(({ id }) => id).filter((id) => !claimed.has(id)),
  );
}

test('the command in the shared guide creates a link for an imported person', async () => {
  const [block] = blocksOf('moving.md').filter(({ code }) => code.includes('user invite --username'));
  const [npx, palaver, ...args] = (block?.code ?? '').trim().split(' ');
  assert.deepEqual([npx, palaver], ['npx', 'palaver']);
  const user = await world.user({ username: args.at(-1) as string });
  const { data, database = '' } = world.place;
  const { stdout } = await stage.run([...args, '--json'], { PALAVER_DATA: data, DATABASE_URL: database });
  const [, token] = JSON.parse(stdout).url.split('#');
  const { browser } = await accountOf(world);
  assert.equal(dataOf(await browser.post('/links/merge', { token })).id, user.id);
});
