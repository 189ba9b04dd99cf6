import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathInSite } from '../../../web/api/base.ts';
import { deviceIn } from '../../../web/features/me/device.ts';
import { findingsOf, type State } from '../../../web/features/platform/health/findings.ts';
import { loadOf } from '../../../web/features/platform/health/load.ts';
import { authorizationIn, deniedAt } from '../../../web/features/session/authorization.ts';
import { pathWithin } from '../../../web/features/session/pathWithin.ts';

test('sign-in continues only to a path of this server', () => {
  const origin = 'https://chat.example.com';
  for (const path of ['/s/one', '/s/one/c/two?thread=three', '/invite/four', '/docs/guides/apps#top'])
    assert.equal(pathWithin(path, origin), path);
  for (const path of [
    undefined,
    null,
    '',
    'https://evil.example.com/',
    '//evil.example.com',
    '/\\evil.example.com',
    '\\\\evil.example.com',
    '/\t/evil.example.com',
    'javascript:alert(1)',
    '/sign-in?to=/sign-in',
    '/sign-up',
    '/welcome',
  ])
    assert.equal(pathWithin(path, origin), '/', String(path));
});

test('under a path, sign-in only continues to URLs below it', () => {
  const at = (path: string) => pathWithin(path, 'https://example.com', '/chat');
  for (const path of ['/chat/', '/chat/s/one/c/two?thread=three', '/chat/docs/#top'])
    assert.equal(at(path), path);
  for (const path of [
    '',
    '/',
    '/other',
    '/chatter',
    '/chat/../other',
    '/chat/sign-in',
    '//example.org/chat/',
  ])
    assert.equal(at(path), '/chat/', path);
});

test('paths below the base belong to the client', () => {
  assert.deepEqual(
    ['/chat', '/chat/', '/chat/s/one', '/chatter', '/', '/Chat/'].map((path) => pathInSite(path, '/chat')),
    ['/', '/', '/s/one', undefined, undefined, undefined],
  );
  assert.deepEqual(
    ['/', '/s/one', ''].map((path) => pathInSite(path, '')),
    ['/', '/s/one', '/'],
  );
});

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const asking = (change: Record<string, string | undefined> = {}): string => {
  const fields = {
    response_type: 'code',
    client_id: 'My app',
    redirect_uri: 'http://127.0.0.1:51004/done?a=1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 's',
    ...change,
  };
  return `?${new URLSearchParams(Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined))}`;
};

test('authorization requires complete parameters and a web address, which the server checks', () => {
  const asked = authorizationIn(asking());
  assert.ok(asked);
  assert.deepEqual([asked.client, asked.codeChallenge, asked.state], ['My app', challenge, 's']);
  assert.equal(deniedAt(asked), 'http://127.0.0.1:51004/done?a=1&error=access_denied&state=s');
  for (const host of ['[::1]', 'localhost'])
    assert.ok(authorizationIn(asking({ redirect_uri: `http://${host}:51004/`, state: undefined })), host);
  for (const change of [
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: 'data:text/html,hello' },
    { redirect_uri: '/done' },
    { redirect_uri: undefined },
    { response_type: 'token' },
    { code_challenge_method: 'plain' },
    { code_challenge: 'short' },
    { client_id: ' ' },
  ])
    assert.equal(authorizationIn(asking(change)), undefined, JSON.stringify(change));
});

test('a user agent is shown as a browser and system name', () => {
  const named = (text: string) => {
    const { browser, system, isPhone } = deviceIn(text) ?? {};
    return [browser, system, isPhone];
  };
  const linux = 'Mozilla/5.0 (X11; Linux x86_64)';
  assert.deepEqual(named(`${linux} AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36`), [
    'Chrome',
    'Linux',
    false,
  ]);
  assert.deepEqual(named('Mozilla/5.0 (Windows NT 10.0) Chrome/139.0 Safari/537.36 Edg/139.0'), [
    'Edge',
    'Windows',
    false,
  ]);
  assert.deepEqual(
    named('Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1'),
    ['Safari', 'iOS', true],
  );
  assert.deepEqual(named('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'), [
    'Firefox',
    'Android',
    true,
  ]);
  assert.equal(deviceIn("Ada's laptop"), undefined);
});

const NOW = 1_800_000_000_000;
const well: State = {
  version: '1.0.0',
  schema: 23,
  engine: 'sqlite',
  nodes: 1,
  uptimeSeconds: 60,
  startedAt: NOW - 60_000,
  requests: 600,
  requestMs: 1200,
  limitedRequests: 6,
  failedRequests: 0,
  writes: 60,
  cpuMs: 6_000,
  memoryBytes: 100_000_000,
  streams: 3,
  isValkeyUp: null,
  waitingMails: null,
  isReady: true,
  problem: '',
  skewMs: 0,
  sweeps: 0,
  closings: 0,
  fileRemovals: 0,
  upkeepUntil: NOW + 1000,
  failingWebhooks: 0,
  disabledWebhooks: 0,
  failing: { clock: 0, erasure: 0, files: 0, mail: 0, retention: 0, search: 0, sweeps: 0, webhooks: 0 },
  files: 'folder',
  freeBytes: 50_000_000_000,
};

test("a node's load is measured between two refreshes, even when another node responds in between", () => {
  const first = { ...well, at: NOW };
  const other = {
    ...well,
    startedAt: NOW - 6_000,
    uptimeSeconds: 6,
    requests: 12,
    cpuMs: 300,
    at: NOW + 5_000,
  };
  const later = {
    ...first,
    requests: 700,
    requestMs: 1_700,
    failedRequests: 5,
    cpuMs: 11_000,
    at: NOW + 10_000,
  };
  const idle = { ...later, at: NOW + 20_000 };
  const shown = loadOf([first, other, later, idle]).map(({ requests, duration, failed, cpu }) => [
    requests,
    duration,
    failed,
    cpu,
  ]);
  assert.deepEqual(shown, [
    [10, 2, 0, 0.1],
    [2, 100, 0, 0.05],
    [10, 5, 0.5, 0.5],
    [0, 0, 0, 0],
  ]);
  assert.deepEqual(loadOf([{ ...well, at: NOW }])[0], {
    ...{ requests: 10, duration: 2, limited: 0.1, failed: 0, writes: 1, streams: 3, cpu: 0.1 },
    memory: 100_000_000,
  });
});

test('problems with the platform are listed first', () => {
  assert.ok(findingsOf(well, NOW).every(({ level }) => level === 'good'));
  const wrong = (change: Partial<State>) =>
    findingsOf({ ...well, ...change }, NOW)
      .filter(({ level }) => level !== 'good')
      .map(({ about, level }) => `${about} ${level}`);
  assert.deepEqual(wrong({ isReady: false, problem: 'no disk', failingWebhooks: 2 }), [
    'data bad',
    'webhooks warm',
  ]);
  assert.deepEqual(wrong({ skewMs: -60_000 }), ['clock bad']);
  assert.deepEqual(wrong({ isValkeyUp: true, waitingMails: 100 }), []);
  assert.deepEqual(wrong({ isValkeyUp: false, waitingMails: 101 }), ['valkey warm', 'mails warm']);
  assert.deepEqual(wrong({ upkeepUntil: null }), ['upkeep warm']);
  assert.deepEqual(wrong({ upkeepUntil: NOW - 1 }), ['upkeep warm']);
  assert.deepEqual(wrong({ freeBytes: 100_000_000 }), ['space bad']);
  assert.deepEqual(wrong({ freeBytes: null, files: 'bucket' }), []);
  assert.deepEqual(wrong({ sweeps: 400, closings: 100, fileRemovals: 1 }), ['waiting warm']);
  assert.deepEqual(wrong({ disabledWebhooks: 1 }), ['disabled warm']);
  assert.deepEqual(wrong({ failing: { ...well.failing, erasure: 1 } }), ['failing warm']);
  assert.deepEqual(wrong({ failing: { ...well.failing, webhooks: 1 } }), [], 'it is reported separately');
});
