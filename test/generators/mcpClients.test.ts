// @run sqlite: the protocol is the same on every engine
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { blocksOf, blockWith, filledIn } from '../support/guides.ts';
import { called, connectThrough } from '../support/mcp.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

// Runs the commands and configurations of the guide "Connect an agent" with the clients that are on npm.

const GUIDE = 'agents.md';
const ADDRESS = 'https://chat.example.com/mcp/<server id>';
const packages = join(import.meta.dirname, 'node_modules');
const anthropic = join(packages, '@anthropic-ai');
/** The folder with Claude Code's program for this platform. */
const claudeFolder = (existsSync(anthropic) ? readdirSync(anthropic) : [])
  .map((name) => join(anthropic, name))
  .find((folder) => existsSync(join(folder, 'claude')));
/** The programs that `npx` starts. */
const programs = {
  '@modelcontextprotocol/inspector': join(
    '@modelcontextprotocol',
    'inspector',
    'clients',
    'launcher',
    'build',
    'index.js',
  ),
  'mcp-remote': join('mcp-remote', 'dist', 'proxy.js'),
} as const;
const programOf = (name: keyof typeof programs): string => join(packages, programs[name]);

let world: World;
let scene: Scene;
let folder: string;
let address: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  folder = mkdtempSync(join(tmpdir(), 'palaver-clients-'));
  address = `${world.url}/mcp/${scene.server.id}`;
});
after(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The environment of a person who has just installed the clients, with a key of the scene's admin. */
const environment = (): Record<string, string> => ({
  PATH: [claudeFolder, '/usr/bin', '/bin'].filter(Boolean).join(delimiter),
  HOME: folder,
  KEY: String(scene.admin.key),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
});

/** Runs a command in a shell. Returns its output, or throws if the command fails. */
async function run(command: string): Promise<string> {
  const options = { cwd: folder, env: environment(), timeout: 120_000 };
  const child = spawn('sh', ['-c', command], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[status], out, said] = await Promise.all([
    once(child, 'close'),
    text(child.stdout),
    text(child.stderr),
  ]);
  assert.equal(status, 0, `${command}: ${out}${said}`);
  return out;
}

const commands = (): string[] =>
  blocksOf(GUIDE)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => filledIn(code, { [ADDRESS]: address }));
const commandWith = (...words: readonly string[]): string =>
  commands().find((code) => words.every((word) => code.includes(word))) as string;

describe('Claude Code', {
  skip: claudeFolder === undefined && 'Claude Code is not for this platform',
}, () => {
  test('connects with a key', async () => {
    await run(commandWith('claude mcp add', 'Authorization'));
    assert.match(await run('claude mcp list'), /^palaver: .* ✔ Connected$/m);
    await run('claude mcp remove palaver');
  });

  test('asks the person to sign in without a key', async () => {
    await run(
      commands().find((code) => /claude mcp add/.test(code) && !/Authorization/.test(code)) as string,
    );
    assert.match(await run('claude mcp list'), /^palaver: .* Needs authentication$/m);
    await run('claude mcp remove palaver');
  });
});

test('the bridge that Claude Desktop starts connects with a key', async () => {
  const filled = filledIn(blockWith(GUIDE, 'json', 'mcp-remote'), {
    [ADDRESS]: address,
    'sk_live_plv_…': String(scene.admin.key),
  });
  const { command, args, env } = JSON.parse(filled).mcpServers.palaver;
  assert.deepEqual([command, ...args.slice(0, 2)], ['npx', '-y', 'mcp-remote']);
  const program = [programOf('mcp-remote'), ...args.slice(2)];
  const client = await connectThrough(process.execPath, program, { ...environment(), ...env });
  try {
    assert.equal((await called(client, 'whoami')).data.server.id, scene.server.id);
  } finally {
    await client.close();
  }
});

test("the inspector's command line lists and calls tools", async () => {
  const command = filledIn(commandWith('inspector --cli'), {
    'npx @modelcontextprotocol/inspector': `'${process.execPath}' '${programOf('@modelcontextprotocol/inspector')}'`,
  });
  const { tools } = JSON.parse(await run(command));
  assert.equal(tools.length, 14);
  const call = (name: string, args: Json = {}): string =>
    filledIn(command, {
      '--method tools/list': [
        `--method tools/call --tool-name ${name}`,
        ...Object.entries(args).map(([key, value]) => `--tool-arg '${key}=${value}'`),
      ].join(' '),
    });
  const channel = await scene.channel();
  const args = { channelId: channel.id, content: 'Ahoy', requestKey: 'once' };
  const { structuredContent } = JSON.parse(await run(call('send', args)));
  const message = dataOf(await scene.admin.get(`/messages/${structuredContent.id}`));
  assert.deepEqual([message.content, message.channelId], ['Ahoy', channel.id]);
  assert.match(
    JSON.parse(await run(call('read_channel', { channelId: channel.id }))).content[0].text,
    /: Ahoy$/,
  );
});

test('an agent built with the official client gets new messages', async () => {
  const channel = await scene.channel();
  mkdirSync(join(folder, 'node_modules', '@modelcontextprotocol'), { recursive: true });
  const official = join(import.meta.dirname, '..', '..', 'node_modules', '@modelcontextprotocol');
  symlinkSync(join(official, 'client'), join(folder, 'node_modules', '@modelcontextprotocol', 'client'));
  writeFileSync(join(folder, 'agent.mjs'), blockWith(GUIDE, 'js', 'wait_for_events'));
  const env = { ...environment(), MCP_URL: address };
  const agent = spawn(process.execPath, ['agent.mjs'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  agent.stdout.on('data', (chunk) => {
    said += chunk;
  });
  try {
    // The agent gets no events until it waits for them.
    await until(async () => {
      dataOf(await scene.admin.post('/messages', { channelId: channel.id, content: 'Anybody there?' }));
      return said.includes('Anybody there?');
    }, 60_000);
  } finally {
    agent.kill();
    await once(agent, 'close');
  }
});
