// @run sqlite: tests files, which are the same on every engine
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { assetsOf } from '../support/site.ts';
import { World } from '../support/world.ts';

// The variants of the web client's shell: with and without a session, and in each language.

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = browser) => fetch(world.url + path, { headers });

test('only a request with a session gets an inline script, allowed by its hash', async () => {
  const shell = await get('/s/server_1', { ...browser, cookie: 'palaver=a token' });
  const inside = [...(await shell.text()).matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script]) => script as string,
  );
  assert.equal(inside.length, 1);
  const digest = hash('sha256', inside[0] as string, 'base64');
  const scripts = (answer: Response) =>
    answer.headers
      .get('content-security-policy')
      ?.split('; ')
      .find((directive) => directive.startsWith('script-src'));
  assert.equal(scripts(shell), `script-src 'self' 'sha256-${digest}'`);
  assert.equal(scripts(await get('/s/server_1')), "script-src 'self'");
});

test('a session cookie adds the scripts for signed-in users to the shell', async () => {
  const plain = await get('/me');
  const named = assetsOf(await plain.text());
  for (const cookie of ['palaver=session_1', 'other=1; __Host-palaver=session_1']) {
    const answer = await get('/me', { ...browser, cookie });
    const shell = await answer.text();
    assert.match(shell, /<div id="app" data-signed-in>/);
    const more = assetsOf(shell).filter((path) => !named.includes(path));
    assert.ok(more.length > 0 && more.every((path) => path.endsWith('.js')), more.join());
    for (const path of more) assert.equal((await get(path)).status, 200, path);
    assert.match(answer.headers.get('vary') ?? '', /\bcookie\b/);
    const tag = answer.headers.get('etag') as string;
    assert.equal((await get('/me', { ...browser, cookie, 'if-none-match': tag })).status, 304);
    assert.equal((await get('/me', { ...browser, 'if-none-match': tag })).status, 200);
  }
  for (const cookie of ['palaver=', 'palaver-sign-in=1', 'notpalaver=1'])
    assert.equal(
      (await get('/me', { ...browser, cookie })).headers.get('etag'),
      plain.headers.get('etag'),
      cookie,
    );
});

test('the shell is marked as signed out only where the browser would have sent the cookie', async () => {
  const shellWith = async (headers: Record<string, string>) =>
    (await get('/sign-in', { ...browser, ...headers })).text();
  for (const site of ['none', 'same-origin'])
    assert.match(await shellWith({ 'sec-fetch-site': site }), /<div id="app" data-signed-out>/, site);
  for (const site of ['cross-site', 'same-site', 'other', ''])
    assert.match(await shellWith({ 'sec-fetch-site': site }), /<div id="app">/, site);
  const cookie = 'palaver=session_1';
  assert.match(await shellWith({ 'sec-fetch-site': 'none', cookie }), /<div id="app" data-signed-in>/);
  assert.match((await get('/me')).headers.get('vary') ?? '', /\bsec-fetch-site\b/);
});

test('the shell is in the chosen language, or else in the one that the browser prefers', async () => {
  const shellFor = async (headers: Record<string, string>) => {
    const answer = await get('/me', { ...browser, ...headers });
    assert.equal(answer.status, 200);
    const [, lang] = /^<!doctype html>\s*<html lang="([^"]*)" dir="ltr">/.exec(await answer.text()) ?? [];
    return { lang, headers: answer.headers };
  };
  for (const [accepted, lang] of [
    ['de', 'de'],
    ['de-AT,en;q=0.9', 'de'],
    ['DE-at', 'de'],
    ['en-GB,de;q=0.9', 'en'],
    ['fr,de;q=0.5', 'de'],
    ['fr', 'en'],
    ['*', 'en'],
    ['de;q=0', 'en'],
    ['de;q=2', 'en'],
    ['de;q=x, en;q=0.1', 'en'],
    ['den, deu', 'en'],
    ['', 'en'],
    [`${'xx,'.repeat(20)}de`, 'en'],
    [',;=,'.repeat(500), 'en'],
  ] as const)
    assert.equal((await shellFor({ 'accept-language': accepted })).lang, lang, accepted.slice(0, 40));

  const chosen = await shellFor({ cookie: 'a=1; palaver-language=de', 'accept-language': 'en' });
  assert.equal(chosen.lang, 'de');
  // Safari expires cookies set by scripts after a week, so the server sets this one.
  assert.equal(
    chosen.headers.get('set-cookie'),
    'palaver-language=de; Path=/; Max-Age=31536000; SameSite=Lax',
  );
  const overTls = await shellFor({ cookie: '__Host-palaver-language=de' });
  assert.deepEqual(
    [overTls.lang, overTls.headers.get('set-cookie')],
    ['de', '__Host-palaver-language=de; Path=/; Max-Age=31536000; SameSite=Lax; Secure'],
  );
  for (const name of ['accept-language', 'cookie'])
    assert.ok(chosen.headers.get('vary')?.split(', ').includes(name), name);
  for (const value of ['', 'fr', 'DE', '"de"', 'de/../en', '../de', '__proto__', 'ar-XB', 'x'.repeat(4000)]) {
    const { lang, headers } = await shellFor({
      cookie: `palaver-language=${value}`,
      'accept-language': 'en',
    });
    assert.deepEqual([lang, headers.get('set-cookie')], ['en', null], value.slice(0, 40));
  }
  const tag = chosen.headers.get('etag') as string;
  const cookie = 'palaver-language=de';
  assert.equal((await get('/me', { ...browser, cookie, 'if-none-match': tag })).status, 304);
  assert.equal((await get('/me', { ...browser, 'if-none-match': tag })).status, 200);
  const missing = await get('/nothing', { ...browser, 'accept-language': 'de' });
  assert.match(await missing.text(), /<html lang="de"/);
  // The shell is marked as signed out for a browser without a session, so the page does not ask who is signed in.
  const visit = { ...browser, 'sec-fetch-site': 'none' };
  assert.match(await (await get('/nothing', visit)).text(), /data-signed-out/);
  assert.equal(
    (await get('/', { ...browser, 'accept-language': 'de' })).headers.get('vary'),
    'accept, accept-encoding, accept-language, cookie, sec-fetch-site',
  );
});
