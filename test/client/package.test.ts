import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createPalaver } from '../../client/src/index.ts';
import { call, gone, Stage, until } from '../support/process.ts';
import { compilerProgram } from '../support/programs.ts';

// The package as users get it: built, and installed in its own project.

const root = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(root, 'client', 'README.md'), 'utf8');
const stage = new Stage();
const project = stage.folder();
const built = join(project, 'node_modules', '@palaver', 'client');
const bots: ChildProcess[] = [];

const tsc = (...args: string[]) =>
  spawnSync(process.execPath, [compilerProgram, ...args], {
    cwd: project,
    encoding: 'utf8',
  });

/** The README's code blocks in a language. */
const codeIn = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code]) => code as string,
  );

before(() => {
  const { status, stdout } = tsc('--project', join(root, 'client'), '--outDir', join(built, 'dist'));
  assert.equal(status, 0, stdout);
  cpSync(join(root, 'client', 'package.json'), join(built, 'package.json'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  }
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
});
after(async () => {
  for (const bot of bots) {
    bot.kill('SIGKILL');
    await gone(bot);
  }
  await stage.close();
});

test('the built package depends only on openapi-fetch, and on nothing from Node', () => {
  const files = readdirSync(join(built, 'dist'), { recursive: true, encoding: 'utf8' });
  const scripts = files.filter((file) => file.endsWith('.js'));
  assert.ok(scripts.includes('index.js'));
  const imported = new Set<string>();
  for (const file of scripts) {
    const code = readFileSync(join(built, 'dist', file), 'utf8');
    for (const [, name] of code.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      if (!name?.startsWith('.')) imported.add(name as string);
    }
    assert.doesNotMatch(code, /\b(process|Buffer|require|global|setImmediate)\b[.(](?=\S)/, file);
  }
  assert.deepEqual([...imported], ['openapi-fetch']);
});

test('one command packs the client', () => {
  const target = stage.folder();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/run.js', 'scripts/packageClient.ts', target],
    { cwd: root, encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
  const { version } = JSON.parse(readFileSync(join(root, 'client', 'package.json'), 'utf8'));
  const file = join(target, `palaver-client-${version}.tgz`);
  assert.equal(stdout.trim().split('\n').at(-1), file);
  const packed = gunzipSync(readFileSync(file)).toString('latin1');
  for (const name of ['index.js', 'index.d.ts', 'replica.js', 'replica.d.ts'])
    assert.ok(packed.includes(`package/dist/${name}\0`), name);
});

test('the replica is imported by its own name', () => {
  const code =
    "import { startReplica, keys } from '@palaver/client/replica'; console.log(typeof startReplica, keys.connection)";
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: project,
    encoding: 'utf8',
  });
  assert.equal(stdout, 'function connection\n', stderr);
});

test("the README's examples compile with the types", () => {
  const [first = '', ...others] = codeIn('ts');
  assert.ok(others.length >= 4);
  writeFileSync(join(project, 'src', 'first.ts'), `${first}\nexport { palaver };\n`);
  for (const [index, code] of others.entries()) {
    writeFileSync(join(project, 'src', `other${index}.ts`), `import { palaver } from './first.js';\n${code}`);
  }
  const files = readdirSync(join(project, 'src')).map((file) => join('src', file));
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--lib',
    'es2023,dom',
  ];
  const { status, stdout } = tsc(...options, ...files);
  assert.equal(status, 0, stdout);
});

test("the README's echo bot responds, even after a restart of the server", async () => {
  const [bot = ''] = codeIn('js');
  assert.equal(bot.trim().split('\n').length, 10);
  writeFileSync(join(project, 'bot.mjs'), bot);
  const folder = stage.folder();
  const server = await stage.start(folder);
  const { url, channelId } = server;
  const administrator = createPalaver({ baseUrl: url, key: server.key });
  const secret = await call(server, 'POST', '/api/v1/secrets', {
    key: server.key,
    body: { kind: 'apiKey', name: 'Echo bot' },
  });

  const child = spawn(process.execPath, ['bot.mjs'], {
    cwd: project,
    env: { ...process.env, PALAVER: url, KEY: secret.body.data.key },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  bots.push(child);
  const say = (content: string) => administrator.messageSend({ channelId, content });
  const times = async (content: string): Promise<number> => {
    const creatorId = secret.body.data.userId as string;
    const messages = await administrator.channelMessages({ channelId, creatorId, limit: 100 });
    return messages.filter((message) => message.content === content).length;
  };

  // The bot prints nothing when it starts to listen.
  await until(
    async () => {
      await say('!echo are you there?');
      return (await times('are you there?')) > 0;
    },
    20_000,
    100,
  );
  await say('no echo, please');
  await say('!echo  ');
  await say('!echo !echo twice');
  await say('!echo one\nand two');
  await until(async () => (await times('one\nand two')) === 1);
  assert.deepEqual([await times('!echo twice'), await times('twice'), await times('')], [1, 0, 0]);

  await server.end('SIGKILL');
  await stage.start(folder, { args: ['--port', new URL(url).port] });
  await say('!echo still there');
  await until(async () => (await times('still there')) > 0, 20_000);
  await say('!echo the end');
  await until(async () => (await times('the end')) > 0);
  assert.deepEqual(
    [await times('still there'), await times('the end'), await times('one\nand two')],
    [1, 1, 1],
  );
  assert.equal(child.exitCode, null);
});
