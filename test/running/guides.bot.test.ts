// @run sqlite: tests over HTTP, which does not depend on the engine
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { blockWith, filledIn } from '../support/guides.ts';
import { call, gone, inherited, type Running, Stage, until } from '../support/process.ts';
import { compilerProgram, programOf } from '../support/programs.ts';
import type { Json } from '../support/world.ts';

// Extracts the bots from the guide, and runs them as the guide says.

const root = join(import.meta.dirname, '..', '..');
const GUIDE = 'bot.md';
const stage = new Stage();
const bots = new Set<ChildProcess>();
/** A bot may be in its longest delay between two attempts. */
const PATIENCE_MS = 60_000;

after(async () => {
  for (const bot of bots) await kill(bot);
  await stage.close();
});

async function kill(bot: ChildProcess): Promise<void> {
  bots.delete(bot);
  if (bot.exitCode !== null || bot.signalCode !== null) return;
  process.kill(-(bot.pid as number), 'SIGKILL');
  await gone(bot);
}

const shell = (code: string): string =>
  execFileSync('sh', ['-c', code], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** The reader of the guide: their server, and the bot that they create. */
class Reader {
  readonly folder = stage.folder();
  readonly data = stage.folder();
  readonly #run: string;
  server!: Running;
  key = '';
  #username = '';
  #said = 0;

  constructor(run: string) {
    this.#run = run;
  }

  async begin(): Promise<void> {
    this.server = await stage.start(this.data);
    const made = JSON.parse(shell(this.#setUp() + blockWith(GUIDE, 'sh', '"name": "Helper"')));
    this.key = made.data.key;
  }

  #setUp(): string {
    const { url, key, channelId } = this.server;
    return filledIn(blockWith(GUIDE, 'sh', 'export MY_KEY='), {
      'http://127.0.0.1:8080': url,
      'the key that the first start printed': this.#firstKey || key,
      'the channelId in the curl line': this.#firstChannel || channelId,
    });
  }
  #firstKey = '';
  #firstChannel = '';

  /** Kills the server, and starts it at the same address. */
  async restartServer(): Promise<void> {
    const { url, key, channelId } = this.server;
    this.#firstKey ||= key;
    this.#firstChannel ||= channelId;
    await this.server.end('SIGKILL');
    this.server = await stage.start(this.data, { args: ['--port', new URL(url).port] });
  }

  /** Starts the bot, and waits until it has printed its name. */
  async startBot(): Promise<ChildProcess> {
    const code = filledIn(blockWith(GUIDE, 'sh', this.#run), {
      'http://127.0.0.1:8080': this.server.url,
      'the key of the bot': this.key,
    });
    const bot = spawn('sh', ['-c', code], {
      cwd: this.folder,
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
    this.#username = /@(\S+)/.exec(output)?.[1] as string;
    return bot;
  }

  /** Mentions the bot as the guide does. */
  mention(): void {
    this.#said++;
    const name = 'the name that the bot printed, without the @';
    shell(this.#setUp() + filledIn(blockWith(GUIDE, 'sh', 'export BOT='), { [name]: this.#username }));
  }

  /** Waits until each mention has an answer, and asserts that none has two. */
  async allAnswered(): Promise<void> {
    await until(async () => (await this.#answers()).size === this.#said, PATIENCE_MS, 100);
    const counts = [...(await this.#answers()).values()];
    assert.deepEqual(counts, Array(this.#said).fill(1));
  }

  /** The number of answers to each message that has any. */
  async #answers(): Promise<Map<string, number>> {
    const key = this.#firstKey || this.server.key;
    const channelId = this.#firstChannel || this.server.channelId;
    const { body } = await call(this.server, 'GET', `/api/v1/channels/${channelId}/messages?limit=100`, {
      key,
    });
    const counts = new Map<string, number>();
    for (const { replyToId } of body.data as Json[])
      if (replyToId !== null) counts.set(replyToId, (counts.get(replyToId) ?? 0) + 1);
    return counts;
  }
}

/** Puts the client where `npm install` of its package would, and compiles the bot with the strictest options. */
function installClient(folder: string): void {
  const built = join(folder, 'node_modules', '@palaver', 'client');
  const tsc = (...args: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [compilerProgram, ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout);
  };
  tsc('--project', join(root, 'client'), '--outDir', join(built, 'dist'));
  cpSync(join(root, 'client', 'package.json'), join(built, 'package.json'));
  mkdirSync(join(folder, 'node_modules', '@types'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers', '@types/node', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  tsc('--noEmit', '--strict', '--types', 'node', '--target', 'es2022', '--module', 'nodenext', 'bot.mts');
}

interface Kind {
  language: string;
  file: string;
  run: string;
  /** The programs that the bot needs. */
  needs: string[];
}

const kinds: Record<string, Kind> = {
  Python: { language: 'python', file: 'bot.py', run: 'python3 bot.py', needs: ['python3', 'curl'] },
  TypeScript: { language: 'ts', file: 'bot.mts', run: 'node bot.mts ', needs: ['curl'] },
  curl: { language: 'sh', file: 'bot.sh', run: 'sh bot.sh', needs: ['curl', 'jq'] },
};
/** For each bot, a line that occurs in only one block in its language. */
const marks: Record<string, string> = { python: 'def reply', ts: 'createPalaver', sh: '#!/bin/sh' };

for (const [name, { language, file, run, needs }] of Object.entries(kinds)) {
  const missing = needs.filter((program) => programOf(program) === undefined);
  describe(`the bot in ${name}`, { skip: missing.length > 0 && `no ${missing.join(', ')} here` }, () => {
    const reader = new Reader(run);
    const place = join(reader.folder, 'cursor.txt');
    let bot: ChildProcess;

    test('answers a mention', async () => {
      writeFileSync(join(reader.folder, file), blockWith(GUIDE, language, marks[language] as string));
      if (language === 'ts') installClient(reader.folder);
      await reader.begin();
      bot = await reader.startBot();
      reader.mention();
      await reader.allAnswered();
    });

    test('answers mentions that were sent while it was killed', async () => {
      await kill(bot);
      reader.mention();
      reader.mention();
      bot = await reader.startBot();
      await reader.allAnswered();
    });

    test('answers after the server was killed', async () => {
      await reader.restartServer();
      reader.mention();
      await reader.allAnswered();
    });

    test('answers no mention twice if it was killed before it had saved its cursor', async () => {
      const before = readFileSync(place, 'utf8');
      reader.mention();
      await reader.allAnswered();
      await kill(bot);
      writeFileSync(place, before);
      bot = await reader.startBot();
      // The bot handles its mentions in order: an answer to this mention means that the previous mention was
      // read again.
      reader.mention();
      await reader.allAnswered();
    });
  });
}
