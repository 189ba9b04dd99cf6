import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { png } from '../../support/pictures.ts';
import { until } from '../../support/process.ts';
import { SettingsScene } from '../../support/settingsScene.ts';
import { upload } from '../../support/uploads.ts';
import type { Json } from '../../support/world.ts';

const sections = [
  'overview',
  'channels',
  'roles',
  'emoji',
  'members',
  'invites',
  'bans',
  'reports',
  'held',
  'words',
  'keys',
  'webhooks',
  'apps',
  'flows',
  'audit',
  'usage',
  'exports',
  'danger',
];

/** Names that would run code if a page treated them as HTML. */
const hostile = [
  `<img src=x onerror="document.title='owned'">`,
  `<script>document.title='owned'</script>`,
  `"><svg onload=document.title='owned'>`,
  `{{constructor.constructor('document.title=1')()}}`,
];

let settings: SettingsScene;
let moderator: Json;
let programmer: Json;
let deputy: Json;
before(async () => {
  settings = await SettingsScene.open();
  const { scene } = settings;
  const [name = '', ...others] = hostile;
  const role = await scene.role({ name, canModerate: true, canEditData: true });
  moderator = await settings.member(name, role);
  deputy = await settings.member('Dora', await scene.role({ name: 'Deputies', canAdmin: true }));
  await settings.member('Peter');
  programmer = await settings.member('Paula', await scene.role({ name: 'Programmers', canEditApp: true }));
  for (const each of hostile) {
    await scene.channel({ name: each, description: each });
    await scene.role({ name: each, color: 'red' });
    const app = await scene.app({ name: each, description: each, publisherName: each });
    await scene.make('/app-installs', { appId: app.id, config: { [each]: each } });
    await scene.make('/secrets', { kind: 'appSecret', name: each, appId: app.id, value: each });
    await scene.secret({ name: each });
    await scene.webhook({ name: each });
  }
  await scene.message({ content: name });
  await scene.make('/reports', { messageId: (await scene.message({ content: name })).id, reason: name });
  await scene.make('/invites', { maxUses: 3 });
  await scene.flow();
  const picture = { path: '/emoji', fields: { name: 'm'.repeat(32) } };
  dataOf(await upload(scene.world, scene.admin, Buffer.from(png(40, 40)), 'emoji.png', picture));
  const banned = await scene.world.user({ name: others[0] });
  await scene.make('/server-bans', { userId: banned.id, reason: name });
});
after(() => settings?.close());

/** Waits until nothing in the section is loading. */
async function settle(page: Page, section: string): Promise<void> {
  await go(page, settings.path(section));
  await page.locator('.setting-page:not([aria-busy]) .setting-title').waitFor();
  const waiting = '.sections-main :is(.spinner, .skeleton, [aria-busy=true])';
  await page.locator(waiting).first().waitFor({ state: 'detached' });
}

for (const width of [1280, 390])
  test(`the settings fit ${width} pixels, are accessible, and escape hostile names`, async () => {
    const options = { viewport: { width, height: 860 } };
    const page = await settings.at('overview', settings.scene.owner, options);
    const found: string[] = [];
    for (const section of sections) {
      await settle(page, section);
      // At desktop width, `everyPage` checks these pages with axe in both themes. Colours do not depend on
      // the width.
      const violations = width < 1280 ? await violationsIn(page) : [];
      found.push(...violations.map((one) => `${section}, ${one}`));
      const wider = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      if (wider > 0) found.push(`${section}: is ${wider} pixels wider than the window`);
      if (section !== 'invites') continue;
      // A link stays on one line, and its end is visible.
      const link = await page.locator('.setting-invite-link').first().boundingBox();
      assert.ok(link && link.height < 30 && link.x + link.width <= width, JSON.stringify(link));
    }
    assert.deepEqual(found, []);
    assert.notEqual(await page.title(), 'owned');
    await settle(page, 'keys');
    for (const name of hostile) await page.getByText(name, { exact: true }).first().waitFor();
    await page.context().close();
    settings.client.assertSound();
  });

test('a moderator sees which settings they cannot use, and which rule says so', async () => {
  const page = await settings.at('overview', moderator);
  const words = async (section: string) => {
    await settle(page, section);
    return page.locator('.setting-note').allTextContents();
  };
  assert.match(String(await words('overview')), /“Manage server”/);
  assert.equal(await page.getByRole('button', { name: 'Save changes' }).count(), 0);
  assert.match(String(await words('channels')), /“Manage channels”/);
  assert.equal(await page.getByRole('button', { name: 'New channel' }).count(), 0);
  assert.match(String(await words('roles')), /“Administrator”/);
  assert.equal(await page.locator('.setting-role-matrix input:not(:disabled)').count(), 0);
  assert.deepEqual(await words('members'), ["You can't change roles. You need a role with “Administrator”."]);
  const actionsOf = async (name: string) => {
    await page
      .getByRole('button', { name: `Actions for ${name}`, exact: true })
      .first()
      .click();
    const items = await page.getByRole('menu').allInnerTexts();
    const closed = await page.locator('.menu-item[aria-disabled="true"]').allInnerTexts();
    await page.keyboard.press('Escape');
    return { items: String(items), closed };
  };
  // A moderator cannot ban members with more permissions, and nobody can kick or ban themselves.
  const ofDeputy = await actionsOf('Dora');
  assert.deepEqual(ofDeputy.closed, ['Ban']);
  assert.match(ofDeputy.items, /You need a role with “Administrator”/);
  assert.match(
    (await actionsOf(settings.scene.owner.name)).items,
    /^Nickname\s+The server's owner can't be banned\.\s+Ban$/,
  );
  assert.deepEqual((await actionsOf('Peter')).closed, []);
  assert.equal((await actionsOf(hostile[0] ?? '')).items, 'Nickname');
  assert.deepEqual(await words('invites'), [
    'You can revoke only your own invites. You need a role with “Administrator”.',
  ]);
  assert.deepEqual(await words('bans'), []);
  assert.match(
    String(await words('keys')),
    /You don't have access to API keys. You need .*“Manage integrations”/,
  );
  assert.match(String(await words('webhooks')), /“Manage integrations”/);
  assert.equal((await words('apps')).length, 3);
  assert.match(String(await words('flows')), /“Manage integrations”|“View integrations”/);
  await settle(page, 'danger');
  assert.equal(await page.getByRole('button', { name: 'Delete server' }).count(), 0);
  await page.getByText("Only the server's owner or a platform admin can delete it.").waitFor();
  assert.deepEqual(await violationsIn(page), []);
  settings.client.assertSound();
});

test('actions on a key, webhook or app are disabled if the member lacks the permission', async () => {
  const page = await settings.at('keys', programmer);
  const closedIn = async (name: string | RegExp) => {
    await page.getByRole('button', { name }).first().click();
    // `innerText` waits for the menu.
    const text = await page.getByRole('menu').innerText();
    const closed = await page.locator('.menu-item[aria-disabled="true"]').allInnerTexts();
    await page.keyboard.press('Escape');
    return [...closed, text.includes('“Administrator”') ? 'by the rule' : ''];
  };
  await settle(page, 'keys');
  // The owner's key has all of the owner's permissions.
  assert.deepEqual(await closedIn(/^Actions for Key of/), ['Rotate', 'Revoke', 'by the rule']);
  assert.deepEqual(await closedIn(`Actions for ${hostile[0]}`), ['']);
  await page.getByRole('button', { name: 'New API key' }).click();
  const role = page.getByRole('dialog').getByLabel('Role');
  assert.ok(await role.getByRole('option', { name: 'Deputies' }).isDisabled());
  assert.ok(await role.getByRole('option', { name: 'Programmers' }).isEnabled());
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await settle(page, 'webhooks');
  assert.deepEqual(await closedIn(`Actions for ${hostile[0]}`), [
    ...['Edit', 'Rotate secret', 'Disable', 'Delete'],
    'by the rule',
  ]);
  await page.getByRole('button', { name: `Actions for ${hostile[0]}` }).click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).click();
  await page.getByRole('dialog').getByText('“Administrator”').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Resend since…' }).count(), 0);
  await page.keyboard.press('Escape');
  await settle(page, 'apps');
  // After a key press, the list of installed apps and the open menu are rendered again up to 250 ms later.
  await page
    .getByRole('button', { name: `Actions for ${hostile[0]}` })
    .first()
    .click();
  await page.locator('.menu-item[aria-disabled="true"]').waitFor();
  await page.keyboard.press('Escape');
  assert.deepEqual(await closedIn(`Actions for ${hostile[0]}`), ['Install app\nInstalled', '']);
  // The installer of an app can store its secrets.
  await page.getByRole('button', { name: `Add a secret to ${hostile[1]}` }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('TOKEN');
  await page.getByRole('dialog').getByLabel('Value').fill('a value of the programmer');
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await page.locator('.setting-row').filter({ hasText: 'TOKEN' }).getByText('…mmer').waitFor();
  await page.context().close();
  settings.client.assertSound();
});

test('the last admin cannot lose the permission', async () => {
  const owner = await settings.at('roles');
  const admin = owner.getByRole('switch', { name: 'Administrator for Admin' });
  assert.equal(await admin.isDisabled(), false, 'Deputies have it, too');
  await owner.getByRole('button', { name: 'Admin', exact: true }).click();
  await owner.getByText("The owner's role.").waitFor();
  assert.equal(await owner.getByRole('button', { name: 'Delete role' }).count(), 0);
  await owner.keyboard.press('Escape');
  await owner.getByRole('switch', { name: 'Administrator for Deputies' }).click();
  await owner.locator('td[data-tip^="This server needs at least one administrator"]').waitFor();
  assert.equal(await admin.isDisabled(), true);
  await settle(owner, 'members');
  const { scene } = settings;
  await owner.getByLabel('Filter by role').selectOption('Deputies');
  // The list is empty while it loads.
  await until(async () => {
    const names = await owner.locator('.setting-row-name').allTextContents();
    return names.length === 1 && names[0] === 'Dora';
  });
  await owner.getByLabel('Filter by role').selectOption('Any role');
  await owner.getByRole('button', { name: `Roles of ${scene.owner.name}` }).click();
  const own = owner.getByRole('checkbox', { name: 'Admin', exact: true });
  await owner.getByText('This server needs at least one administrator').waitFor();
  assert.equal(await own.isDisabled(), true);
  await owner.context().close();
  settings.client.assertSound();
});

test('the last admin is told that they cannot leave', async () => {
  const { scene } = settings;
  const roles: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/roles?limit=100`));
  const roleId = (name: string) => roles.find((role) => role.name === name)?.id;
  dataOf(await scene.admin.patch(`/roles/${roleId('Deputies')}`, { canAdmin: true }));
  const grant = { userId: scene.owner.id, roleId: roleId('Admin') };
  const known = await scene.admin.post('/user-roles', grant);
  await scene.remove(`/user-roles/${known.body.error.details.id}`);

  const page = await settings.at('members', moderator);
  await page.getByRole('button', { name: 'Actions for Dora' }).click();
  await page.getByText('This server needs at least one administrator').waitFor();
  assert.deepEqual(await page.locator('.menu-item[aria-disabled="true"]').allInnerTexts(), ['Kick', 'Ban']);
  await page.context().close();
  const her = await settings.at('danger', deputy);
  await her.getByText('This server needs at least one administrator').waitFor();
  assert.equal(await her.getByRole('button', { name: 'Leave server' }).count(), 0);
  await settle(her, 'roles');
  await her.getByRole('button', { name: 'Deputies', exact: true }).click();
  await her.getByRole('tab', { name: 'Members' }).click();
  await her.getByRole('dialog').getByText('This server needs at least one administrator').waitFor();
  assert.ok(await her.getByRole('button', { name: 'Remove' }).isDisabled());
  // The dialog lists the members with the role. A search also finds other members.
  const listed = her.getByRole('dialog').getByRole('listitem');
  assert.deepEqual(await listed.locator('.setting-row-name').allTextContents(), ['Dora']);
  await her.getByLabel('Find a member').fill('peter');
  await listed.getByRole('button', { name: 'Add', exact: true }).click();
  await her.getByLabel('Find a member').fill('');
  await listed.getByText('Peter').waitFor();
  await listed.filter({ hasText: 'Peter' }).getByRole('button', { name: 'Remove' }).click();
  await her.context().close();
  await scene.make('/user-roles', grant);
  settings.client.assertSound();
});

test('an unknown settings URL shows "Page not found"', async () => {
  const page = await settings.client.signedIn(settings.scene.owner, settings.path('nowhere'));
  await page.getByText('Page not found').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  assert.match(page.url(), /settings\/keys$/);
  await page.goBack();
  await page.getByText('Page not found').waitFor();
  // Offline, a page that was never opened does not claim that the client is outdated.
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Flows' }).click();
  await page.getByText("Couldn't reach the server. Check your connection").waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'New flow' }).waitFor();
});
