import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { certificate } from '../support/certificate.ts';
import { HostileProvider } from '../support/hostileProvider.ts';
import { LOGIN, MailServer, tokenIn } from '../support/mailServer.ts';
import { call, type Environment, Stage, until } from '../support/process.ts';
import { settingsOf } from '../support/provider.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import { openData, q } from '../support/sources.ts';

const stage = new Stage();
const servers: MailServer[] = [];
let tls: ReturnType<typeof certificate>;
let authority: string;
before(() => {
  tls = certificate();
  authority = join(stage.folder(), 'authority.pem');
  writeFileSync(authority, tls.cert);
});
after(async () => {
  await stage.close();
  for (const server of servers) await server.stop();
});

const open = async (options: Parameters<typeof MailServer.open>[0]): Promise<MailServer> => {
  const server = await MailServer.open(options);
  servers.push(server);
  return server;
};

const settings = (url: string, further: Environment = {}): Environment => ({
  PALAVER_MAIL: url,
  PALAVER_MAIL_FROM: 'Palaver <palaver@example.com>',
  PALAVER_ADDRESS: 'https://chat.example.com',
  ...further,
});
const trusting = (url: string, further: Environment = {}): Environment =>
  settings(url, { NODE_EXTRA_CA_CERTS: authority, ...further });
const send = (environment: Environment, to = 'Ada@Example.org') =>
  stage.run(['mail', 'test', '--to', to, '--data', stage.folder(), '--json'], environment);

test('palaver mail test sends an email over TLS with a login, or reports why it cannot', async () => {
  const withTls = { ...tls, disabledCommands: [], authOptional: false };
  const [upgraded, secure, plain] = await Promise.all([
    open(withTls),
    open({ ...withTls, secure: true }),
    open({}),
  ]);
  const login = { PALAVER_MAIL_LOGIN: LOGIN };
  const [good, implicit, untrusted, without, wrong, none, off, down] = await Promise.all([
    send(trusting(upgraded.url, login)),
    send(trusting(secure.url, login)),
    send(settings(upgraded.url, login)),
    send(trusting(plain.url)),
    send(trusting(upgraded.url, { PALAVER_MAIL_LOGIN: 'palaver:wrong' })),
    send(trusting(upgraded.url)),
    send(settings(plain.url, { PALAVER_MAIL_TLS: 'off' })),
    send(settings('smtp://localhost:1')),
  ]);
  assert.equal(jsonOf(good).to, 'ada@example.org');
  jsonOf(implicit);
  jsonOf(off);
  assert.deepEqual(
    [upgraded, secure, plain].map(({ mails }) => mails.length),
    [1, 1, 1],
  );
  assert.equal(upgraded.mails[0]?.headers.subject, 'Test email from Palaver');
  assertFailed(untrusted, /could not send the email: .*(SELF_SIGNED|UNABLE_TO_VERIFY|certificate)/);
  assertFailed(without, /the server does not support TLS, which mailTls requires/);
  assertFailed(wrong, /the server rejected the login: check mailLogin \(535\)/);
  assertFailed(none, /requires a login|530/);
  assertFailed(down, /nothing is listening there/);
  for (const { stderr } of [untrusted, without, wrong, none, down])
    assert.doesNotMatch(stderr, /a password|wrong\b(?! )|ada@example/i, stderr);
  plain.refusals.push(550);
  const refused = send(settings(plain.url, { PALAVER_MAIL_TLS: 'off' }));
  assertFailed(await refused, /the server rejected the email: 550/);
});

test('palaver doctor checks the mail server and the providers', async () => {
  const mails = await open({});
  const provider = await HostileProvider.open();
  const folder = stage.folder();
  await (await stage.start(folder)).end();
  const examine = (environment: Environment) =>
    stage.run(['doctor', '--data', folder, '--json'], environment);
  const environment = settings(mails.url, {
    PALAVER_MAIL_TLS: 'off',
    PALAVER_PROVIDERS: JSON.stringify([settingsOf('other', provider.issuer)]),
  });
  const [good, bad] = await Promise.all([
    examine(environment),
    examine({
      ...environment,
      PALAVER_MAIL: 'smtp://localhost:1',
      PALAVER_PROVIDERS: JSON.stringify([settingsOf('other', 'http://localhost:1')]),
    }),
  ]);
  await provider.close();
  const messageOf = (outcome: typeof good, name: string) =>
    JSON.parse(outcome.stdout).findings.find(({ check }: { check: string }) => check === name);
  assert.deepEqual(messageOf(good, 'mail'), {
    check: 'mail',
    ok: true,
    message: `${mails.url} responds, without TLS`,
  });
  assert.match(
    messageOf(good, 'provider other').message,
    /its redirect URI must be https:\/\/chat\.example\.com\/sign-in\/other/,
  );
  assert.equal(messageOf(good, 'provider other').ok, true);
  assert.equal(bad.code, 1);
  assert.match(messageOf(bad, 'mail').message, /nothing is listening there/);
  assert.match(messageOf(bad, 'provider other').message, /does not respond/);
  assert.equal(mails.mails.length, 0, 'nothing was sent');
});

test('invalid settings are rejected with their names, and secrets are not printed', async () => {
  const provider = settingsOf('one', 'https://id.example.com');
  const providers = (...list: unknown[]): Environment => ({
    PALAVER_ADDRESS: 'https://chat.example.com',
    PALAVER_PROVIDERS: JSON.stringify(list),
  });
  const wrong: [Environment, RegExp][] = [
    [{ PALAVER_MAIL: 'smtp://a:b@localhost', PALAVER_MAIL_FROM: 'a@example.com' }, /PALAVER_MAIL_LOGIN/],
    [{ PALAVER_MAIL: 'http://localhost' }, /PALAVER_MAIL must be a URL that begins with smtp:/],
    [
      { PALAVER_MAIL: 'smtp://localhost', PALAVER_MAIL_FROM: 'a@example.com' },
      /mail requires the setting address/,
    ],
    [{ PALAVER_MAIL: 'smtp://localhost', PALAVER_ADDRESS: 'https://chat.example.com' }, /mailFrom/],
    [
      settings('smtp://mail.example.com', { PALAVER_MAIL_TLS: 'off', PALAVER_MAIL_LOGIN: 'a:b' }),
      /mailLogin/,
    ],
    [{ PALAVER_MAIL_FROM: 'a@example.com\r\nBcc: b@example.com' }, /PALAVER_MAIL_FROM must be an address/],
    [{ ...providers(provider), PALAVER_ADDRESS: '' }, /providers requires the setting address/],
    [providers(provider, provider), /PALAVER_PROVIDERS has the same id twice/],
    [providers({ ...provider, issuer: 'http://id.example.com' }), /provider 1: "issuer" must be/],
    [providers({ ...provider, issuer: 'http://localhost.example.com' }), /provider 1: "issuer" must be/],
    [providers({ ...provider, id: '../x' }), /provider 1: "id" must be/],
    [providers({ ...provider, secret: 'x' }), /provider 1: unknown "secret"/],
    [providers({ id: 'one' }), /provider 1 needs "issuer"/],
  ];
  const folder = stage.folder();
  const config = (environment: Environment) => stage.run(['config', '--json', '--data', folder], environment);
  const outcomes = await Promise.all(wrong.map(([environment]) => config(environment)));
  for (const [index, outcome] of outcomes.entries())
    assertFailed(outcome, (wrong[index] as [Environment, RegExp])[1]);
  const printed = await config({
    ...settings('smtp://mail.example.com', { PALAVER_MAIL_LOGIN: LOGIN }),
    ...providers(provider),
  });
  jsonOf(printed);
  assert.ok(
    !printed.stdout.includes('a password') && !printed.stdout.includes(provider.clientSecret),
    printed.stdout,
  );
  assert.match(printed.stdout, /\(set\)/);
});

test('palaver user invite emails the link if email is configured, and shows it nowhere', async () => {
  const mails = await open({});
  const folder = stage.folder();
  const environment = settings(mails.url, { PALAVER_MAIL_TLS: 'off' });
  await (await stage.start(folder, { environment })).end();
  const run = (args: string[], further: Environment = {}) =>
    stage.run([...args, '--data', folder], { ...environment, ...further });
  const ada = jsonOf(await run(['user', 'create', '--username', 'ada', '--name', 'Ada', '--json']));
  const claim = jsonOf(
    await run(['user', 'invite', '--username', 'ada', '--email', 'Ada@Example.org', '--json']),
  );
  assert.deepEqual(Object.keys(claim), ['id', 'mailedTo', 'expiresAt']);
  assert.equal(claim.mailedTo, 'ada@example.org');
  const printed = await run(['user', 'invite', '--email', 'new@example.org']);
  assert.match(printed.stdout, /^mailedTo: new@example\.org$/m);
  assert.match(printed.stdout, /^The link is emailed within seconds/m);
  assert.doesNotMatch(printed.stdout, /link_plv_/);
  const shown = jsonOf(await run(['user', 'invite', '--email', 'third@example.org', '--print', '--json']));
  assert.match(shown.url, /^https:\/\/chat\.example\.com\/welcome#link_plv_/);
  assertFailed(
    await run(['user', 'invite', '--email', 'fourth@example.org'], { PALAVER_MAIL_HOURLY: '2' }),
    /hourly email limit \(mailHourly\) is reached: .* --print/,
  );
  assertFailed(await run(['user', 'invite', '--email', 'a@b, c@d']), /--email must be an email address/);
  assert.equal(mails.mails.length, 0, 'a running server sends them');

  const server = await stage.start(folder, { environment });
  const headers = { 'palaver-server': 'none' };
  const password = 'a horse that nobody rides';
  const [first, second] = [await mails.mailTo('ada@example.org'), await mails.mailTo('new@example.org')];
  assert.equal(first.headers.subject, 'Set up your account');
  assert.doesNotMatch(first.text, /Ada|ada/, 'strangers could read it');
  assert.match(first.text, /https:\/\/chat\.example\.com\/welcome#link_plv_/);
  const claimed = await call(server, 'POST', '/api/people/links/claim', {
    headers,
    body: { token: tokenIn(first), password },
  });
  assert.deepEqual([claimed.body.data.id, claimed.body.data.email], [ada.id, 'ada@example.org']);
  const body = { token: tokenIn(second), username: 'newcomer', password };
  const signedUp = await call(server, 'POST', '/api/people/sign-up', { headers, body });
  assert.equal(signedUp.body.data.email, 'new@example.org', signedUp.text);
  assert.equal(mails.mails.length, 2);
  assert.doesNotMatch(server.log(), /example\.org|link_plv_/);
  assert.equal(await server.end(), 0);
});

test('an email whose node was killed, or whose mail server was down, is sent after the next start', async () => {
  const mails = await open({});
  const folder = stage.folder();
  const environment = settings(mails.url, { PALAVER_MAIL_TLS: 'off' });
  const headers = { 'palaver-server': 'none' };
  let server = await stage.start(folder, { environment });
  const invited = await stage.run([
    'user',
    'invite',
    '--email',
    'ada@example.org',
    '--data',
    folder,
    '--json',
  ]);
  const [, token] = jsonOf(invited).url.split('#');
  const signUp = { username: 'ada', password: 'a horse that nobody rides', token };
  assert.equal((await call(server, 'POST', '/api/people/sign-up', { headers, body: signUp })).status, 200);
  const reset = () => call(server, 'POST', '/api/people/password/reset', { headers, body: { name: 'ada' } });
  /** Simulates that the backoff before the next attempt has passed. */
  const makeDue = async () => {
    const data = await openData(await stage.place(folder), undefined, { existing: true });
    await data.db.write((tx) =>
      tx.run(q.updateTable('mail').set({ dueAt: 0 }).where('dueAt', 'is not', null)),
    );
    await data.db.close();
  };

  // The mail server has accepted the email, but its node dies before it is acknowledged.
  mails.onMail = () => new Promise(() => {});
  assert.equal((await reset()).status, 200);
  const first = await mails.mailTo('ada@example.org');
  await server.end('SIGKILL');
  await mails.stop();
  mails.onMail = () => {};
  await mails.start();
  await makeDue();
  server = await stage.start(folder, { environment });
  const again = await mails.mailTo('ada@example.org', 1);
  assert.equal(
    again.headers['message-id'],
    first.headers['message-id'],
    'mail clients can detect the duplicate',
  );
  assert.match(first.headers['message-id'] ?? '', /^<[0-9a-f-]{36}@chat\.example\.com>$/);
  const body = { token: tokenIn(again), password: 'another horse altogether' };
  assert.equal((await call(server, 'POST', '/api/people/links/claim', { headers, body })).status, 200);
  await mails.mailTo('ada@example.org', 2);

  await mails.stop();
  assert.equal((await reset()).status, 200);
  await until(() => server.log().includes('an email was deferred'));
  assert.doesNotMatch(server.log(), /ada@example|link_plv_/);
  assert.equal(await server.end(), 0);
  await mails.start();
  await makeDue();
  server = await stage.start(folder, { environment });
  assert.equal((await mails.mailTo('ada@example.org', 3)).headers.subject, 'Reset your password');
  assert.equal(await server.end(), 0);
});
