// @run both, waits: the benchmark lets its node become idle several times
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { engine } from '../support/databases.ts';

const root = join(import.meta.dirname, '../..');

test('the benchmark of a large community runs at a small size', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  // PostgreSQL runs as another user, which copies a folder to this one.
  chmodSync(folder, 0o755);
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        ...['bench/index.ts', '--crowd', '--quick', '--engine', engine],
        ...['--size', '0.002', '--seconds', '0.1'],
      ],
      { cwd: root, env: { ...process.env, BENCH_DATA: folder } },
    );
    const [, report = ''] = stdout.split('## A crowd, ');
    for (const kind of ['send', 'page', 'view', 'mark', 'reading', 'search: absent word', 'snapshot'])
      assert.match(report, new RegExp(`^\\| ${kind} \\|`, 'm'));
    assert.match(report, /The mix with 20 streams: \d+ requests a second/);
    assert.match(report, /10 people reload after a restart/);
    const called = Number(/slowest of (\d+) operations/.exec(report)?.[1]);
    assert.ok(called >= 120, `${called} operations were called`);
    assert.doesNotMatch(report, /Refused/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
