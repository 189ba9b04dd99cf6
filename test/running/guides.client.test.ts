// @run sqlite: tests over HTTP, which does not depend on the engine
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Browser, PASSWORD } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { blocksOf } from '../support/guides.ts';
import { gone, inherited, until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// Extracts the client from the guide, and runs it as the guide says.

let world: World;
let scene: Scene;
let folder: string;
let user: Json;
let channel: Json;
const clients: ChildProcess[] = [];
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  folder = mkdtempSync(join(tmpdir(), 'palaver-guide-'));
  const files = blocksOf('own-client.md').filter(({ language }) => language === 'js');
  for (const [index, name] of ['replica.mjs', 'follow.mjs', 'client.mjs'].entries())
    writeFileSync(join(folder, name), files[index]?.code as string);
  user = await world.user();
  await world.member(scene.server, user);
  await Browser.claimed(world, user);
  channel = await scene.channel();
});
after(async () => {
  for (const client of clients) {
    client.kill('SIGKILL');
    await gone(client);
  }
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the client, and waits until it shows the server. */
async function start(): Promise<{ client: ChildProcess; told: () => string }> {
  assert.ok(blocksOf('own-client.md').some(({ code }) => code.includes('node client.mjs')));
  const client = spawn(process.execPath, ['client.mjs'], {
    cwd: folder,
    env: { ...inherited(), PALAVER: world.url, NAME: user.username, PASSWORD },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  clients.push(client);
  let told = '';
  client.stdout?.on('data', (text) => {
    told += text;
  });
  await until(() => {
    assert.equal(client.exitCode, null, told);
    return told.includes(`loaded: ${scene.server.name}`);
  });
  return { client, told: () => told };
}

const messages = async (): Promise<string[]> =>
  dataOf(await scene.admin.get(`/channels/${channel.id}/messages`)).map(({ content }: Json) => content);

test("the client shows other people's messages, and sends typed text once", async () => {
  const { client, told } = await start();
  await scene.message({ channelId: channel.id, content: 'Is anybody there?' });
  await until(() => told().includes(`#${channel.name}: Is anybody there?`));
  client.stdin?.write(`#${channel.name} I am\n`);
  await until(() => told().includes(`#${channel.name}: I am`));
  client.stdin?.write(`#${channel.name}\n`);
  await until(() => told().includes(`${user.username}: I am`));
  client.stdin?.write('#nowhere Hello\n');
  await until(() => told().includes('no channel with this name'));
  assert.deepEqual(await messages(), ['I am', 'Is anybody there?']);
  client.kill('SIGKILL');
  await gone(client);
});

test('a message without a response is sent again after a restart, and created once', async () => {
  const row = { key: 'a-key-of-its-own', serverId: scene.server.id, channelId: channel.id, content: 'Once' };
  const browser = await Browser.of(world, user, scene.server);
  const { channelId, content } = row;
  dataOf(await browser.api.post('/messages', { channelId, content }, { 'idempotency-key': row.key }));
  writeFileSync(join(folder, 'outbox.json'), JSON.stringify([row, { ...row, key: 'b', content: 'Twice' }]));
  const { client, told } = await start();
  await until(() => readFileSync(join(folder, 'outbox.json'), 'utf8') === '[]');
  assert.deepEqual((await messages()).slice(0, 3), ['Twice', 'Once', 'I am']);
  const joined = await Scene.open(world);
  await world.member(joined.server, user);
  await until(() => told().includes(`loaded: ${joined.server.name}`));
  client.kill('SIGKILL');
  await gone(client);
});
