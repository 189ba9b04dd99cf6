// @run sqlite: tests the terminal
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { gone, Stage, until } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

// The first start offers to open its link in the browser. The tests use a real terminal, which `script` (util-linux)
// creates.

const stage = new Stage();
const started: ChildProcess[] = [];
after(async () => {
  for (const child of started) child.kill('SIGKILL');
  await Promise.all(started.map(gone));
  await stage.close();
});

const program = join(import.meta.dirname, '..', '..', 'server', 'bin', 'palaver.js');
const skip = programOf('script') ? false : 'no script (util-linux) here';

/**
 * Starts the program on a terminal. A fake browser program writes the URLs that it is given to the file `opened` in
 * the folder.
 */
function start(environment: Record<string, string>, isBehind = false) {
  const folder = stage.folder();
  const [programs, opened] = [join(folder, 'bin'), join(folder, 'opened')];
  mkdirSync(programs);
  writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" >>'${opened}'\n`, { mode: 0o755 });
  const command = `'${process.execPath}' '${program}' start --data '${folder}' --port 0`;
  const run = isBehind ? `set -m; ${command} & wait` : `exec ${command}`;
  const child = spawn('script', ['-qefc', `sh -c "${run}"`, '/dev/null'], {
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}`, DISPLAY: '', ...environment },
  });
  started.push(child);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    output += piece;
  });
  return {
    output: () => output,
    press: (keys: string) => child.stdin.write(keys),
    opened: () => (existsSync(opened) ? readFileSync(opened, 'utf8') : ''),
    ended: () => gone(child),
  };
}

const OFFER = 'Press Enter to open it in your browser.';
const linkIn = (output: string): string => /http\S+link_plv_\w+/.exec(output)?.[0] as string;

test("Enter opens the first start's link once, and Ctrl+C still stops the server", {
  skip,
}, async () => {
  const server = start({ DISPLAY: ':9' });
  await until(() => server.output().includes(OFFER));
  server.press('\n');
  await until(() => server.opened() !== '');
  assert.equal(server.opened(), `${linkIn(server.output())}\n`);
  server.press('\n\n');
  server.press('\x03');
  await server.ended();
  assert.equal(server.opened().split('\n').length, 2);
});

test('nothing is offered without a display, or in the background, where reading would stop the server', {
  skip,
}, async () => {
  for (const server of [start({}), start({ DISPLAY: ':9' }, true)]) {
    await until(() => linkIn(server.output()) !== undefined);
    assert.ok(!server.output().includes(OFFER));
    server.press('\x03');
  }
});
