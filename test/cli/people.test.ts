import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

const PASSWORD = 'a horse that nobody rides';
const headers = { 'palaver-server': 'none' };

const tokenOf = (url: string): string => new URL(url).hash.slice(1);

const claim = (server: Running, url: string, password = PASSWORD) =>
  call(server, 'POST', '/api/people/links/claim', { headers, body: { token: tokenOf(url), password } });

test('the first start prints a link with which the admin creates their account', async () => {
  const folder = stage.folder();
  const server = await stage.start(folder);
  const [link, ...others] = server.output().match(/http\S+#link_plv_\w+/g) ?? [];
  assert.deepEqual(others, []);
  const url = new URL(link as string);
  // The link does not use 127.0.0.1, where browsers do not support passkeys.
  assert.deepEqual(
    [url.hostname, url.port, url.pathname],
    ['localhost', new URL(server.url).port, '/welcome'],
  );
  const page = await call(server, 'GET', '/welcome');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
  const claimed = await claim(server, link as string);
  assert.equal(claimed.status, 200, claimed.text);
  assert.deepEqual([claimed.body.data.username, claimed.body.data.platformAdmin], ['admin', true]);
  assert.equal((await claim(server, link as string)).status, 404);
  assert.ok(
    !server.log().includes('link_plv_') && !server.log().includes('session_plv_'),
    'no log contains secrets',
  );
  assert.equal(await server.end(), 0);
  const again = await stage.start(folder);
  assert.ok(!again.output().includes('link_plv_'), 'only the first start prints a link');
  assert.equal(await again.end(), 0);
});

test('palaver user invite and palaver user password print links that a running server accepts', async () => {
  const folder = stage.folder();
  const server = await stage.start(folder, { environment: { PALAVER_ADDRESS: 'https://chat.example.com' } });
  const run = (...args: string[]) =>
    stage.run([...args, '--data', folder, '--json'], { PALAVER_ADDRESS: 'https://chat.example.com' });
  const ada = jsonOf(await run('user', 'create', '--username', 'ada'));
  const invited = jsonOf(await run('user', 'invite', '--username', 'Ada', '--email', 'Ada@Example.com'));
  assert.match(invited.url, /^https:\/\/chat\.example\.com\/welcome#link_plv_\w{38}$/);
  assertFailed(await run('user', 'password', '--username', 'ada'), /ada has no account yet/);
  const claimed = await claim(server, invited.url);
  assert.equal(claimed.status, 200, claimed.text);
  assert.deepEqual([claimed.body.data.id, claimed.body.data.email], [ada.id, 'ada@example.com']);
  assertFailed(await run('user', 'invite', '--username', 'ada'), /ada already has an account/);
  assertFailed(await run('user', 'invite', '--email', 'ada@example.com'), /belongs to another account/);
  assertFailed(await run('user', 'invite', '--email', 'nobody'), /--email must be an email address/);

  const reset = jsonOf(await run('user', 'password', '--username', 'ada'));
  const cookie = (claimed.headers.get('set-cookie') ?? '').split(';')[0] as string;
  const me = () => call(server, 'GET', '/api/people/me', { headers: { ...headers, cookie } });
  assert.equal((await me()).status, 200);
  assert.equal((await claim(server, reset.url, 'another horse entirely')).status, 200);
  assert.equal((await me()).status, 401, 'a new password ends the sessions');

  const lost = jsonOf(await run('user', 'password', '--username', 'ada', '--without-code'));
  const look = { headers, body: { token: tokenOf(lost.url) } };
  assert.equal((await call(server, 'POST', '/api/people/links/look', look)).body.data.purpose, 'recovery');

  const anybody = jsonOf(await run('user', 'invite'));
  const body = { token: tokenOf(anybody.url), username: 'grace', password: PASSWORD };
  const signedUp = await call(server, 'POST', '/api/people/sign-up', { headers, body });
  assert.equal(signedUp.status, 200, signedUp.text);

  jsonOf(await run('user', 'create', '--username', 'robot', '--agent'));
  assertFailed(await run('user', 'invite', '--username', 'robot'), /robot is an agent/);
  assertFailed(await run('user', 'invite', '--username', 'nobody'), /user "nobody" does not exist/);
  const audit = await stage.run(['audit', '--data', folder, '--json']);
  assert.match(audit.stdout, /user invite/);
  assert.ok(!audit.stdout.includes('link_plv_'), 'the audit log contains no secrets');
  assert.equal(await server.end(), 0);
});

test('invalid settings about people make the start fail', async () => {
  const start = (environment: Record<string, string>) =>
    stage.run(['start', '--data', stage.folder()], environment);
  for (const address of [
    'chat.example.com',
    'https://chat.example.com/chat?a=b',
    'https://chat.example.com/a b',
    'ftp://chat.example.com',
    'https://a@b.c',
  ])
    assertFailed(await start({ PALAVER_ADDRESS: address }), /PALAVER_ADDRESS must be an address/);
  assertFailed(
    await start({ PALAVER_SIGN_UP: 'maybe' }),
    /PALAVER_SIGN_UP must be one of open, invite, closed/,
  );
});

test('without a configured address, a link has the given port, and the command says how to change it', async () => {
  const folder = stage.folder();
  const at = ['--data', folder];
  jsonOf(await stage.run(['user', 'create', '--username', 'ada', '--json', ...at]));
  for (const [args, port] of [
    [[], 8080],
    [['--port', '8081'], 8081],
  ] as const) {
    const { code, stdout } = await stage.run(['user', 'invite', '--username', 'ada', ...args, ...at]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^url: http://localhost:${port}/welcome#link_plv_\\w{38}$`, 'm'));
    assert.match(
      stdout,
      new RegExp(`not at http://localhost:${port}, .* PALAVER_ADDRESS, or pass --port\\.$`, 'm'),
    );
  }
  const set = await stage.run(['user', 'invite', '--username', 'ada', ...at], {
    PALAVER_ADDRESS: 'https://chat.example.com',
  });
  assert.match(set.stdout, /^url: https:\/\/chat\.example\.com\/welcome/m);
  assert.doesNotMatch(set.stdout, /PALAVER_ADDRESS/);
});
