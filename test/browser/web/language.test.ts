import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { PASSWORD } from '../../support/account.ts';
import { after, before, test } from '../../support/browser.ts';
import { fieldIn, messageIn } from '../../support/journey.ts';
import { until } from '../../support/process.ts';
import { WebClient } from '../../support/webClient.ts';

const { files } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../web/dist/manifest.json'), 'utf8'),
);

/** The languages for which the browser requested scripts. */
const languagesOf = (requests: readonly string[]): Set<string> =>
  new Set(
    requests.flatMap((address) => files[new URL(address).pathname.replace('/web/', '')]?.language ?? []),
  );

const langOf = (page: Page) => page.evaluate<string>('document.documentElement.lang');

let client: WebClient;
before(async () => {
  client = await WebClient.open({ signUp: 'open' });
});
after(() => client?.close());

/** Chooses a language in the settings, which reloads the page. */
const choose = async (page: Page, label: string, option: string, button: string) => {
  await page.getByRole('combobox', { name: label }).selectOption({ label: option });
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: button }).click()]);
};

test("the client uses the browser's language and locale formats, and loads no other language", async () => {
  for (const [locale, lang, title, example] of [
    ['de-AT', 'de', 'Ein Ort, an dem deine Leute reden', /^de-AT: .* um .*, 12\s345,6$/],
    ['en-GB', 'en', 'A place for your people to talk', /^en-GB: .* at .*, 12,345\.6$/],
    ['fr', 'en', 'A place for your people to talk', /^en: .* at .*, 12,345\.6$/],
  ] as const) {
    // The windows of the previous language may still be loading.
    await client.surfer.close();
    client.surfer.requests.length = 0;
    const visitor = await client.visit('/', { locale });
    await visitor.getByText(title).first().waitFor();
    assert.equal(await langOf(visitor), lang);
    const person = await client.world.user();
    const page = await client.signedIn(person, '/me/language', { locale });
    const text = page.locator('.setting-row-actions');
    await text.waitFor();
    assert.match((await text.innerText()).trim(), example);
    assert.deepEqual([...languagesOf(client.surfer.requests)], [lang]);
  }
  client.assertSound();
});

test('a language chosen in the settings persists after sign-out and offline', async () => {
  const person = await client.world.user();
  const page = await client.signedIn(person, '/me/language');
  await choose(page, 'Language', 'Deutsch', 'Change language');
  await page.getByRole('heading', { name: 'Sprache', level: 1 }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/me/language');
  assert.equal(await page.getByRole('combobox', { name: 'Sprache' }).inputValue(), 'de');
  assert.equal(await langOf(page), 'de');

  await until(() =>
    page.evaluate<boolean>(
      `caches.match('/').then(async (kept) => kept !== undefined && (await kept.text()).includes('lang="de"'))`,
    ),
  );
  const loaded = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/web/'))`;
  await until(() =>
    page.evaluate<boolean>(
      `Promise.all(${loaded}.map((name) => caches.match(name))).then((all) => all.every(Boolean))`,
    ),
  );
  await page.context().setOffline(true);
  await page.reload();
  await page.getByText('Server nicht erreichbar').waitFor();
  await page.context().setOffline(false);
  // The browser logs each request that failed offline.
  const { complaints } = client.surfer;
  complaints.push(...complaints.splice(0).filter((line) => !line.includes('ERR_INTERNET_DISCONNECTED')));
  await page.goto('/me/language');

  await page.getByRole('button', { name: /dein Menü$/ }).click();
  await page.getByRole('menuitem', { name: 'Abmelden' }).click();
  await page
    .getByRole('link', { name: 'Anmelden' })
    .or(page.getByRole('button', { name: 'Anmelden' }))
    .first()
    .waitFor();
  await page.goto('/sign-in');
  await page.getByLabel('Benutzername oder E-Mail-Adresse').waitFor();
  assert.deepEqual(
    (await page.context().cookies()).map(({ name, value }) => [name, value]),
    [['palaver-language', 'de']],
  );
});

test("the language can be reset to the browser's", async () => {
  const person = await client.world.user();
  const page = await client.signedIn(person, 'about:blank');
  await page.context().addCookies([{ name: 'palaver-language', value: 'de', url: client.url }]);
  await page.goto('/me/language');
  await choose(page, 'Sprache', 'Standard des Browsers', 'Sprache wechseln');
  await page.getByRole('heading', { name: 'Language', level: 1 }).waitFor();
  const names = (await page.context().cookies()).map(({ name }) => name);
  assert.ok(!names.includes('palaver-language'), String(names));
});

test("refusals are explained in the user's language: at a field, for a rule, and in general", async () => {
  const visitor = await client.visit('/sign-in', { locale: 'de' });
  await visitor.getByLabel('Benutzername oder E-Mail-Adresse').fill('nobody');
  await visitor.getByLabel('Passwort', { exact: true }).fill('wrong, and long enough');
  await visitor.keyboard.press('Enter');
  await visitor.getByText('Der Name oder das Passwort ist falsch.').waitFor();

  const { world } = client;
  const person = await world.user();
  const server = await world.server(await world.user());
  await world.member(server, person);
  const page = await client.signedIn(person, `/s/${server.id}/settings/keys`, { locale: 'de' });
  await page.getByText('Dafür brauchst du eine Rolle mit „Integrationen verwalten“.').waitFor();

  const taken = await world.user();
  await page.goto('/me');
  await page.getByRole('textbox', { name: 'Benutzername' }).fill(taken.username);
  await page.keyboard.press('Enter');
  await page.getByText('Dieser Benutzername ist vergeben.').waitFor();
});

test('the whole client works in German, from sign-up to a message', async () => {
  const page = await client.visit('/sign-up', { locale: 'de' });
  await page.getByLabel('Benutzername').fill('greta');
  await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Willkommen/ }).waitFor();
  await page.getByRole('button', { name: 'Server erstellen' }).first().click();
  await page.getByLabel('Name des Servers').fill('Hafen');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'allgemein', level: 1 }).waitFor();
  await fieldIn(page).fill('Moin!');
  await page.keyboard.press('Enter');
  await messageIn(page, 'Moin!').waitFor();
  await page.getByText('Heute').first().waitFor();
  await page.getByRole('button', { name: 'Hafen, 1 Mitglied: Servermenü' }).click();
  await page.getByRole('menuitem', { name: 'Servereinstellungen' }).click();
  await page.getByRole('heading', { name: 'Übersicht', level: 1 }).waitFor();
  client.assertSound();
});
