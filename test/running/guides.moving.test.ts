import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Files, tarred, unpack, zipped } from '../support/archives.ts';
import { discordSample } from '../support/discordSample.ts';
import { blocksOf } from '../support/guides.ts';
import { mattermostSample } from '../support/mattermostSample.ts';
import { Stage } from '../support/process.ts';
import { rocketchatSample } from '../support/rocketchatSample.ts';
import { slackSample } from '../support/slackSample.ts';
import { find } from '../support/sources.ts';
import { type Client, World } from '../support/world.ts';
import { zulipSample } from '../support/zulipSample.ts';

// Runs the commands of the guides "Moving from …" on a sample of each product, as they say.

const stage = new Stage();
let world: World;
let key: Client;
before(async () => {
  world = await World.open({ limits: { '*': 0 }, timers: true });
  const owner = await world.user({ username: 'ada' });
  const root = await world.user({ platformAdmin: true });
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
  });
