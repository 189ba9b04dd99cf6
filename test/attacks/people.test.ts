import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser, cookiesOf, linkFor, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { TestClock, World } from '../support/world.ts';

/** Everything that can be reached under /api/people: no path of better-auth's own is among them. */
const reachable = [
  'DELETE /api/people/email',
  'DELETE /api/people/flows/:id',
  'DELETE /api/people/identities/:id',
  'DELETE /api/people/passkeys/:id',
  'DELETE /api/people/password',
  'DELETE /api/people/second-factor',
  'DELETE /api/people/sessions/:id',
  'GET /api/people/channels/:id/view',
  'GET /api/people/events',
  'GET /api/people/identities',
  'GET /api/people/me',
  'GET /api/people/passkeys',
  'GET /api/people/platform/apps',
  'GET /api/people/platform/audit',
  'GET /api/people/platform/health',
  'GET /api/people/platform/servers',
  'GET /api/people/platform/settings',
  'GET /api/people/platform/users',
  'GET /api/people/platform/users/:id',
  'GET /api/people/presence',
  'GET /api/people/presence/me',
  'GET /api/people/providers',
  'GET /api/people/reading',
  'GET /api/people/servers',
  'GET /api/people/servers/:id/snapshot',
  'GET /api/people/sessions',
  'HEAD /api/people/channels/:id/view',
  'HEAD /api/people/identities',
  'HEAD /api/people/me',
  'HEAD /api/people/passkeys',
  'HEAD /api/people/platform/apps',
  'HEAD /api/people/platform/audit',
  'HEAD /api/people/platform/health',
  'HEAD /api/people/platform/servers',
  'HEAD /api/people/platform/settings',
  'HEAD /api/people/platform/users',
  'HEAD /api/people/platform/users/:id',
  'HEAD /api/people/presence',
  'HEAD /api/people/presence/me',
  'HEAD /api/people/providers',
  'HEAD /api/people/reading',
  'HEAD /api/people/servers',
  'HEAD /api/people/servers/:id/snapshot',
  'HEAD /api/people/sessions',
  'PATCH /api/people/flows/:id',
  'PATCH /api/people/me',
  'PATCH /api/people/passkeys/:id',
  'PATCH /api/people/platform/settings/:name',
  'PATCH /api/people/platform/users/:id',
  'PATCH /api/people/presence/me',
  'PATCH /api/people/reading/level',
  'POST /api/people/approvals',
  'POST /api/people/approvals/deny',
  'POST /api/people/approvals/look',
  'POST /api/people/approvals/redirect',
  'POST /api/people/close',
  'POST /api/people/drafts',
  'POST /api/people/email',
  'POST /api/people/email/verify',
  'POST /api/people/events/tickets',
  'POST /api/people/flows',
  'POST /api/people/identities',
  'POST /api/people/links/claim',
  'POST /api/people/links/look',
  'POST /api/people/notifications/clear',
  'POST /api/people/notifications/read',
  'POST /api/people/passkeys',
  'POST /api/people/passkeys/options',
  'POST /api/people/password',
  'POST /api/people/password/reset',
  'POST /api/people/platform/apps/:id/unverify',
  'POST /api/people/platform/apps/:id/verify',
  'POST /api/people/platform/servers/:id/delete',
  'POST /api/people/platform/users/:id/lift',
  'POST /api/people/platform/users/:id/link',
  'POST /api/people/platform/users/:id/sign-out',
  'POST /api/people/platform/users/:id/suspend',
  'POST /api/people/proof',
  'POST /api/people/proof/options',
  'POST /api/people/providers/:id/callback',
  'POST /api/people/providers/:id/connect',
  'POST /api/people/providers/:id/start',
  'POST /api/people/providers/finish',
  'POST /api/people/reading/all',
  'POST /api/people/reading/marks',
  'POST /api/people/reading/unread',
  'POST /api/people/recovery-codes',
  'POST /api/people/second-factor',
  'POST /api/people/second-factor/confirm',
  'POST /api/people/servers',
  'POST /api/people/servers/:id/delete',
  'POST /api/people/servers/:id/hand-over',
  'POST /api/people/servers/:id/leave',
  'POST /api/people/sign-in',
  'POST /api/people/sign-in/options',
  'POST /api/people/sign-in/passkey',
  'POST /api/people/sign-out',
  'POST /api/people/sign-up',
];

/** Paths that better-auth would serve by itself. */
const hidden = [
  'POST sign-up/email',
  'POST sign-in/email',
  'POST sign-in/username',
  'POST sign-in/social',
  'POST is-username-available',
  'POST update-user',
  'POST delete-user',
  'POST change-email',
  'POST change-password',
  'POST request-password-reset',
  'POST reset-password',
  'POST verify-password',
  'GET get-session',
  'GET list-sessions',
  'POST revoke-sessions',
  'POST link-social',
  'GET verify-email',
  'GET ok',
  'GET error',
];

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0, attempt: 5 } });
});
after(() => world.close());

/** The routes of a server, from Fastify's own print of them. */
function routesOf({ app }: World): string[] {
  const routes: string[] = [];
  const path: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent, rest] = /^((?:│ {3}| {4})*)(?:├── |└── )(.*)$/.exec(line) ?? [];
    if (indent === undefined || rest === undefined) continue;
    const [, part = '', methods] = /^(.*?)(?: \(([A-Z, ]+)\))?$/.exec(rest) ?? [];
    path.length = indent.length / 4;
    path.push(part);
    for (const method of methods?.split(', ') ?? []) routes.push(`${method} ${path.join('')}`);
  }
  return routes;
}

test('under /api/people there is what is listed here, and nothing of better-auth', async () => {
  const routes = routesOf(world);
  assert.ok(routes.includes('POST /api/v1/messages'), 'the print is understood');
  assert.deepEqual(routes.filter((route) => route.includes('/people')).sort(), reachable);
  for (const route of hidden) {
    const [method, path] = route.split(' ') as [string, string];
    for (const prefix of ['/api/auth', '/api/people', '/api/v1/none', '/api/v1', '/auth']) {
      const answer = await world.request(method, `${world.url}${prefix}/${path}`, {
        headers: { 'palaver-server': 'none', 'content-type': 'application/json' },
        ...(method === 'POST' && { body: {} }),
      });
      assert.ok([401, 404].includes(answer.status), `${prefix}/${path} answered ${answer.status}`);
      assert.ok(
        answer.status === 404 || prefix === '/api/v1' || prefix === '/api/v1/none',
        `${prefix}/${path}`,
      );
    }
  }
});

test('passwords cannot be tried without end, on an account that exists or on none', async () => {
  const user = await world.user();
  await Browser.claimed(world, user);
  const attempt = (name: string, password: string) => new Browser(world).post('/sign-in', { name, password });
  for (const name of [user.username, 'nobody.at.all']) {
    for (let number = 0; number < 5; number++)
      assertRefused(await attempt(name, `wrong ${number}`), 'UNAUTHORIZED');
    const refused = await attempt(name.toUpperCase(), 'wrong');
    assertRefused(refused, 'RATE_LIMITED', name);
    assert.equal(refused.headers.get('retry-after'), '60');
  }
  assertRefused(await attempt(user.username, PASSWORD), 'RATE_LIMITED');
  const other = await world.user();
  await Browser.claimed(world, other);
  dataOf(await attempt(other.username, PASSWORD));
  clock.advance(60_000);
  dataOf(await attempt(user.username, PASSWORD));
});

test('nor by those who hold a session of the account', async () => {
  const browser = await Browser.claimed(world, await world.user());
  for (let number = 0; number < 5; number++)
    assertRefused(await browser.post('/proof', { password: `wrong ${number}` }), 'UNAUTHORIZED');
  assertRefused(await browser.post('/proof', { password: PASSWORD }), 'RATE_LIMITED');
  const change = { password: PASSWORD, newPassword: 'something else entirely' };
  assertRefused(await browser.post('/password', change), 'RATE_LIMITED');
  dataOf(await browser.get('/me'));
});

test('a session that was planted before the sign-in is not the one after it', async () => {
  const user = await world.user();
  await Browser.claimed(world, user);
  const attacker = await Browser.of(world, await world.user());
  const victim = new Browser(world);
  victim.cookie = attacker.cookie;
  dataOf(await victim.post('/sign-in', { name: user.username, password: PASSWORD }));
  assert.notEqual(victim.cookie, attacker.cookie);
  assert.equal(dataOf(await victim.get('/me')).id, user.id);
  assert.notEqual(dataOf(await attacker.get('/me')).id, user.id);
  // Nor does a browser choose the token of its session.
  const chosen = new Browser(world);
  chosen.cookie = `palaver=session_plv_${'0'.repeat(38)}`;
  const answer = await chosen.post('/sign-in', { name: user.username, password: PASSWORD });
  dataOf(answer);
  assert.match(cookiesOf(answer)[0]?.value ?? '', /^session_plv_(?!0{38})[0-9A-Za-z]{38}$/);
});

test('pages of others cannot sign their visitors in or out, nor use up a link', async () => {
  const user = await world.user();
  const browser = await Browser.claimed(world, user);
  const { token } = await linkFor(world, await world.user());
  const foreign = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
    { origin: `foo://${new URL(world.url).host}` },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    const requests: [string, object][] = [
      ['/sign-in', { name: user.username, password: PASSWORD }],
      ['/sign-out', {}],
      ['/links/claim', { token, password: PASSWORD }],
      ['/password', { password: PASSWORD, newPassword: 'something else entirely' }],
    ];
    for (const [path, body] of requests)
      assertRefused(await browser.post(path, body, headers as Record<string, string>), 'UNAUTHORIZED', path);
  }
  // A form of another page can send neither the header nor this media type.
  browser.place = undefined;
  assertRefused(await browser.post('/sign-out', {}), 'UNAUTHORIZED');
  const plain = { 'palaver-server': 'none', 'content-type': 'text/plain', cookie: browser.cookie };
  const url = `${world.url}/api/people/sign-out`;
  assertRefused(await world.request('POST', url, { raw: '{}', headers: plain }), 'INVALID_REQUEST');
  browser.place = 'none';
  dataOf(await browser.get('/me'));
  dataOf(await new Browser(world).post('/links/look', { token }));
});

test('hostile names and passwords are refused with a clear error, or are nobody', async () => {
  const texts = [
    "' or 1=1 --",
    '\u0000',
    '\ud800',
    '%00',
    '__proto__',
    'x'.repeat(255),
    '{"$ne":null}',
    '🐎'.repeat(64),
  ];
  for (const text of texts) {
    const answers = [
      await new Browser(world).post('/sign-in', { name: text, password: text }),
      await new Browser(world).post('/sign-up', { username: text, password: text }),
      await new Browser(world).post('/links/claim', { token: text, password: PASSWORD }),
    ];
    for (const { status, body } of answers)
      assert.ok([400, 401, 403, 404].includes(status), `${JSON.stringify(text)} ${JSON.stringify(body)}`);
  }
  for (const body of [
    { name: { $ne: null }, password: { $ne: null } },
    { name: ['a'], password: 'b' },
    [],
    'a',
    null,
  ])
    assertRefused(await new Browser(world).post('/sign-in', body), 'INVALID_REQUEST');
});
