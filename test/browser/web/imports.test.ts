import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { zipped } from '../../support/archives.ts';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { slackSample } from '../../support/slackSample.ts';
import { find } from '../../support/sources.ts';
import { WebClient } from '../../support/webClient.ts';

let client: WebClient;
let page: Page;
before(async () => {
  client = await WebClient.open({ timers: true });
  await client.world.user({ username: 'ada' });
  const admin = await client.world.user({ name: 'Root', platformAdmin: true });
  page = await client.signedIn(admin, '/platform/imports');
});
after(() => client?.close());

/** Uploads the Slack sample, using only the keyboard. */
async function upload(name: string): Promise<void> {
  await page.getByRole('button', { name: 'New import' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Source').selectOption('slack');
  const buffer = zipped(slackSample);
  await dialog
    .getByLabel('Archive')
    .setInputFiles({ name: 'slack.zip', mimeType: 'application/zip', buffer });
  await dialog.getByLabel('New server name').fill(name);
  await dialog.getByLabel("Owner's username").fill('ada');
  await page.keyboard.press('Enter');
  await page.getByText('Ready', { exact: true }).waitFor();
}

test('an archive is uploaded, imported after a dry run, and deleted', async () => {
  await page.getByText('No imports').waitFor();
  await upload('Harbour');
  await page.getByRole('button', { name: 'Start dry run' }).press('Enter');
  await page.getByText('Dry run complete').waitFor();
  assert.equal(await client.world.data.db.read.first(find('server', { name: 'Harbour' })), undefined);
  await page.getByRole('button', { name: 'Details of Slack, slack.zip' }).press('Enter');
  await page.getByRole('table', { name: 'Dry run report' }).waitFor();
  assert.deepEqual(await violationsIn(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Start import' }).press('Enter');
  await page.getByText('Done', { exact: true }).waitFor();
  assert.notEqual(await client.world.data.db.read.first(find('server', { name: 'Harbour' })), undefined);
  assert.deepEqual(await violationsIn(page), []);
  await page.getByRole('button', { name: 'Delete import: Slack, slack.zip' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
  await page.getByText('No imports').waitFor();
  client.assertSound();
});

test('an archive that cannot be read shows the reason', async () => {
  await page.getByRole('button', { name: 'New import' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('New server name').fill('Broken');
  await dialog.getByLabel("Owner's username").fill('ada');
  await page.keyboard.press('Enter');
  await dialog.getByText('Choose a file.').waitFor();
  const buffer = Buffer.from('not an archive');
  await dialog.getByLabel('Archive').setInputFiles({ name: 'a.zip', mimeType: 'application/zip', buffer });
  await dialog.getByRole('button', { name: 'Upload' }).click();
  await page.getByRole('button', { name: 'Start import' }).click();
  await page.getByText('Failed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Details of Slack, a.zip' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  client.assertSound();
});
