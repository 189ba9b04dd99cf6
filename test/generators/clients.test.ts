import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { compilerProgram } from '../support/programs.ts';
import type { Json } from '../support/world.ts';
import { programs } from './programs.ts';

type Generate = (document: Json, input: string, folder: string) => Promise<void>;

// Tests that the clients that third-party generators create from a served document compile and work.

const { generators }: { generators: Record<string, Generate> } = await import(
  new URL('./generate.js', import.meta.url).href
);

const modules = join(import.meta.dirname, 'node_modules');
const stage = new Stage();
const project = stage.folder();
let server: Running;
let document: Json;
before(async () => {
  server = await stage.start(stage.folder());
  document = (await call(server, 'GET', '/openapi.json')).body;
  writeFileSync(join(project, 'openapi.json'), JSON.stringify(document));
  writeFileSync(join(project, 'package.json'), '{}');
  symlinkSync(modules, join(project, 'node_modules'));
});
after(() => stage.close());

/**
 * Compiles the project with TypeScript's strictest options to files that Node can run. Resolves with the diagnostics.
 */
async function compile(): Promise<string> {
  const options = {
    strict: true,
    skipLibCheck: true,
    target: 'es2023',
    module: 'commonjs',
    moduleResolution: 'bundler',
    esModuleInterop: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    rewriteRelativeImportExtensions: true,
    rootDir: '.',
    outDir: 'made',
  };
  const names = Object.keys(programs);
  const include = names.flatMap((name) => [name, `${name}.ts`]);
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include }));
  const compiler = spawn(process.execPath, [compilerProgram, '--singleThreaded'], { cwd: project });
  return text(compiler.stdout);
}

for (const [name, generate] of Object.entries(generators)) {
  test(`${name} generates a client`, async () => {
    await generate(structuredClone(document), join(project, 'openapi.json'), join(project, name));
    writeFileSync(join(project, `${name}.ts`), programs[name] as string);
  });
}

test('the generated clients compile with the strictest types', async () => {
  assert.equal(await compile(), '');
});

for (const name of Object.keys(generators)) {
  test(`the client from ${name} sends a message, reads a page and handles an error`, async () => {
    const { use, contentOf } = createRequire(join(project, 'package.json'))(`./made/${name}.js`);
    const { id, at, page, next, reason, code } = await use(server.url, server.key, server.channelId);
    const [message, ...others] = page;
    assert.deepEqual(others, []);
    assert.deepEqual([message.id, message.createdAt], [id, at]);
    assert.match(message.content, /^By \S+$/);
    assert.equal(reason, null);
    assert.equal(code, 'NOT_FOUND');
    assert.equal(contentOf({ type: 'message.created', data: message }), message.content);
    assert.ok(next === null || typeof next === 'string');
  });
}
