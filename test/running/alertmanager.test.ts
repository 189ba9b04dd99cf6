// @run sqlite, waits: tests what another program sends; waits for time to pass
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hook } from '../support/hookPost.ts';
import { gone, until } from '../support/process.ts';
import { programOf } from '../support/programs.ts';
import { testsUnless } from '../support/skipping.ts';
import { freePort } from '../support/valkeyServer.ts';
import { World } from '../support/world.ts';

const program = programOf('prometheus-alertmanager', 'alertmanager');
const skip = program ? false : 'no prometheus-alertmanager here';
const { after, before, test } = testsUnless(skip);

let hook: Hook;
let manager: ChildProcess;
let url: string;
const folder = mkdtempSync(join(tmpdir(), 'palaver-alerts-'));
before(async () => {
  hook = await Hook.open(await World.open());
  url = `http://127.0.0.1:${await freePort()}`;
  const address = hook.world.url + hook.made.path;
  const file = join(folder, 'alertmanager.yml');
  // JSON is valid YAML.
  const receiver = {
    name: 'palaver',
    webhook_configs: [{ url: address }],
    slack_configs: [{ api_url: `${address}/slack`, channel: 'ignored', send_resolved: true }],
    discord_configs: [{ webhook_url: `${address}/discord` }],
  };
  const route = { receiver: 'palaver', group_by: ['alertname'], group_wait: '0s' };
  writeFileSync(file, JSON.stringify({ route, receivers: [receiver] }));
  const listen = ['--web.listen-address', url.slice('http://'.length), '--cluster.listen-address='];
  const shown = ['--web.external-url', 'https://alerts.example.com'];
  manager = spawn(
    program as string,
    ['--config.file', file, '--storage.path', folder, '--log.level=error', ...listen, ...shown],
    { stdio: 'inherit' },
  );
  await until(() =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
});
after(async () => {
  manager?.kill('SIGKILL');
  if (manager) await gone(manager);
  await hook?.world.close();
  rmSync(folder, { recursive: true, force: true });
});

test('Alertmanager posts in its own webhook format, and in those of Slack and Discord', async () => {
  const alert = {
    labels: { alertname: 'HighLoad', instance: 'db1', severity: 'critical' },
    annotations: { summary: 'Load is *12*' },
    generatorURL: 'https://prometheus.example.com/graph',
  };
  const answer = await fetch(`${url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([alert]),
  });
  assert.equal(answer.status, 200);
  const expected = [
    '**[\\[FIRING:1\\] HighLoad](https://alerts.example.com)** (instance=db1, severity=critical)\n\n' +
      '- Load is \\*12\\* [source](https://prometheus.example.com/graph)',
    '[\\[FIRING:1\\] HighLoad (db1 critical)](https://alerts.example.com/#/alerts?receiver=palaver)',
    '[FIRING:1] HighLoad (db1 critical)\n\nAlerts Firing:\nLabels:\n - alertname = HighLoad',
  ];
  await until(async () => (await hook.messages()).length >= expected.length);
  const contents = (await hook.messages()).map(({ content }) => content);
  for (const beginning of expected)
    assert.ok(
      contents.some((content) => content.startsWith(beginning)),
      contents.join('\n\n'),
    );
  assert.equal(contents.length, expected.length);
});
