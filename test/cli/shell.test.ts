// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { namedCommands, optionsOf } from '../../server/src/cli/command.ts';
import { commands } from '../../server/src/cli/commands/index.ts';
import { Stage } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

/** The output of a command in a folder with an invalid config file, which it does not need. */
async function printed(...args: string[]): Promise<string> {
  const folder = stage.folder();
  writeFileSync(join(folder, 'palaver.json'), '{');
  const { code, stdout, stderr } = await stage.run(args, { PALAVER_DATA: folder });
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

/** The completions that Bash offers after these words, sorted. */
async function offeredBy(script: string, ...words: string[]): Promise<string[]> {
  const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _palaver; echo "\${COMPREPLY[*]}"`;
  const { stdout } = await promisify(execFile)('bash', ['-c', ask, 'bash', script, ...words]);
  return stdout.trim().split(' ').filter(Boolean).sort();
}

test('bash completes commands and options', async () => {
  const script = join(stage.folder(), 'palaver.bash');
  writeFileSync(script, await printed('completion', 'bash'));
  assert.deepEqual(await offeredBy(script, 'palaver', 'se'), ['secret', 'send', 'server']);
  assert.deepEqual(await offeredBy(script, 'palaver', 'key', ''), ['create', 'list', 'revoke', 'rotate']);
  assert.deepEqual(await offeredBy(script, 'palaver', 'key', 'create', '--s'), ['--server']);
  assert.deepEqual(await offeredBy(script, 'palaver', 'completion', ''), ['bash', 'fish', 'zsh']);
  assert.deepEqual(await offeredBy(script, 'palaver', 'backup', ''), []);
  for (const [name, row] of namedCommands(commands)) {
    const options = Object.keys(optionsOf(row)).map((flags) => flags.split(' ')[0] as string);
    assert.deepEqual(
      await offeredBy(script, 'palaver', ...name.split(' '), '--'),
      ['--help', ...options].sort(),
    );
  }
});

for (const shell of ['zsh', 'fish'] as const) {
  test(`${shell} completes every command and option, with their descriptions`, async () => {
    const lines = (await printed('completion', shell)).split('\n');
    for (const [name, row] of namedCommands(commands)) {
      const words = name.split(' ');
      const own = lines.filter((line) =>
        shell === 'zsh'
          ? line.startsWith(`    '${name}') _arguments`)
          : words.every((word) => line.includes(`_from ${word}`)),
      );
      for (const flags of Object.keys(optionsOf(row))) {
        const [option = ''] = flags.split(' ');
        const sign = shell === 'zsh' ? `'${option}[` : `-l ${option.slice(2)} `;
        assert.ok(own.join('\n').includes(sign), `${name} ${option}`);
      }
      assert.ok(
        lines.join('\n').includes(row.about.replaceAll("'", shell === 'zsh' ? "'\\''" : "\\'")),
        name,
      );
    }
  });
}

test('another shell is rejected', async () => {
  assertFailed(await stage.run(['completion', 'csh']), /^unsupported shell csh: use bash, zsh or fish\n/);
});
