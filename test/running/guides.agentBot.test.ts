// @run sqlite: tests over HTTP, which does not depend on the engine
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { blockWith, filledIn } from '../support/guides.ts';
import { call, gone, inherited, type Running, Stage, until } from '../support/process.ts';
import { compilerProgram, programOf } from '../support/programs.ts';
import type { Json } from '../support/world.ts';

// Extracts the bots with buttons from the guide, and runs them as the guide says.

const root = join(import.meta.dirname, '..', '..');
const GUIDE = 'agent-bot.md';
const PATIENCE_MS = 60_000;
const stage = new Stage();
const bots = new Set<ChildProcess>();
after(async () => {
  for (const bot of bots) {
    if (bot.exitCode === null) process.kill(-(bot.pid as number), 'SIGKILL');
    await gone(bot);
  }
  await stage.close();
});

/** Puts the client where `npm install` of its package would, and compiles the bot with the strictest options. */
function installClient(folder: string): void {
  const built = join(folder, 'node_modules', '@palaver', 'client');
  const tsc = (...args: string[]) => {
    const done = spawnSync(process.execPath, [compilerProgram, ...args], { cwd: folder, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stdout);
  };
  tsc('--project', join(root, 'client'), '--outDir', join(built, 'dist'));
  cpSync(join(root, 'client', 'package.json'), join(built, 'package.json'));
  mkdirSync(join(folder, 'node_modules', '@types'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  tsc('--noEmit', '--strict', '--types', 'node', '--target', 'es2022', '--module', 'nodenext', 'agent.mts');
}

const kinds = {
  Python: { language: 'python', file: 'agent.py', run: 'python3 agent.py', mark: 'def reply' },
  TypeScript: { language: 'ts', file: 'agent.mts', run: 'node agent.mts', mark: 'createPalaver' },
};
const skip = programOf('python3') === undefined && 'no python3 here';

/** A person who sends requests, waits for messages, and uses their buttons. */
function callerOf(server: Running) {
  const { channelId, key } = server;
  const ask = async (method: string, path: string, body?: object): Promise<Json> =>
    (await call(server, method, `/api/v1${path}`, { key, ...(body && { body }) })).body.data;
  const latest = async (content: string): Promise<Json> => {
    let found: Json | undefined;
    await until(
      async () => {
        const messages: Json[] = await ask('GET', `/channels/${channelId}/messages?limit=20`);
        found = messages.find((one) => one.content === content && one.stream !== 'open');
        return found !== undefined;
      },
      PATIENCE_MS,
      100,
    );
    return found as Json;
  };
  const act = (message: Json, blockId: string, actionId: string, value?: unknown) =>
    ask('POST', '/interactions', {
      messageId: message.id,
      blockId,
      actionId,
      ...(value ? { value } : {}),
    });
  return { ask, latest, act };
}

for (const [name, { language, file, run, mark }] of Object.entries(kinds))
  describe(`the bot with buttons in ${name}`, { skip: language === 'python' && skip }, () => {
    const code = blockWith(GUIDE, language, mark);

    test('has at most 60 lines of at most 100 characters', () => {
      const lines = code.trimEnd().split('\n');
      assert.ok(lines.length <= 60, `${lines.length} lines`);
      assert.deepEqual(
        lines.filter((line) => line.length > 100),
        [],
      );
    });

    test('answers a mention with buttons, a form with an approval, and the approval with a message', async () => {
      const folder = stage.folder();
      writeFileSync(join(folder, file), code);
      if (language === 'ts') installClient(folder);
      const server = await stage.start(stage.folder());
      const username = await start(server, folder, run);
      const { channelId } = server;
      const { ask, latest, act } = callerOf(server);

      const { id } = await ask('POST', '/messages', { channelId, content: `@${username} what now?` });
      const answer = await latest('All tests of the latest build pass. What now?');
      assert.deepEqual([answer.replyToId, answer.stream], [id, 'done']);
      const later = await act(answer, 'next', 'later');
      let told: Json = {};
      await until(
        async () => {
          told = await ask('GET', `/interactions/${later.id}`);
          return told.state === 'done';
        },
        PATIENCE_MS,
        100,
      );
      assert.equal(told.ephemeral, 'Mention me when you are ready.');
      await act(answer, 'next', 'deploy', { version: '4.1' });
      const approval = await latest('Deploy 4.1?');
      assert.equal(approval.replyToId, answer.id);
      await act(approval, 'approval', 'yes');
      const done = await latest('Deployed 4.1.');
      assert.equal(done.replyToId, approval.id);
    });
  });

/** Creates a key for the bot, starts it, and returns the name that it prints. */
async function start(server: Running, folder: string, run: string): Promise<string> {
  const made = await call(server, 'POST', '/api/v1/secrets', {
    key: server.key,
    body: { kind: 'apiKey', name: 'Helper' },
  });
  const code = filledIn(blockWith(GUIDE, 'sh', run), {
    'http://127.0.0.1:8080': server.url,
    'the key of the bot': made.body.data.key,
  });
  const bot = spawn('sh', ['-c', code], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...inherited(), PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    detached: true,
  });
  bots.add(bot);
  let output = '';
  bot.stdout?.on('data', (piece) => {
    output += piece;
  });
  await until(() => {
    assert.equal(bot.exitCode, null, output);
    return /Mention me: @(\S+)\n/.test(output);
  }, PATIENCE_MS);
  return /@(\S+)/.exec(output)?.[1] as string;
}
