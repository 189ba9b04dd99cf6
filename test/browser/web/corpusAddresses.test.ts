import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { skip } from '../../support/browser.ts';
import { intruders } from '../../support/corpus.ts';
import { payloads } from '../../support/payloads.ts';
import { Scene } from '../../support/scene.ts';
import { WebClient, withoutWorker } from '../../support/webClient.ts';

describe('URLs that try to run code', { skip }, () => {
  let client: WebClient;
  before(async () => {
    client = await WebClient.open({ signUp: 'open' });
  });
  after(() => client?.close());

  const found: string[] = [];
  const look = async (where: string, page: Page) => {
    for (const one of await page.evaluate<string[]>(intruders)) found.push(`${where}: ${one}`);
  };

  test('malicious URLs stay inert in the client, before and after sign-in', async () => {
    const scene = await Scene.open(client.world);
    const channel = await scene.channel();
    const visitor = await client.visit('/reset', withoutWorker);
    const page = await client.signedIn(scene.owner, '/me/language', withoutWorker);
    const pass = async (path: string, at: Page) => {
      await at.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('palaver-moved'))`,
      );
      await at.waitForTimeout(15);
      await look(path, at);
    };
    for (const [at, payload] of payloads.entries()) {
      const text = encodeURIComponent(payload.toWellFormed());
      await pass(`/nowhere/${text}`, visitor);
      await pass(`/sign-in?to=${text}`, visitor);
      await pass(`/authorize?client_id=${text}&redirect_uri=${text}&state=${text}`, visitor);
      if (at % 6 === 0) await pass(`/s/${scene.server.id}/c/${channel.id}?panel=search&q=${text}`, page);
    }
    assert.deepEqual(found.splice(0), []);
    client.assertSound();
  });

  test('malicious URLs stay inert in the docs and their search', async () => {
    const page = await client.visit('/docs/');
    const search = page.getByRole('searchbox');
    for (const payload of payloads) {
      await search.fill(payload.replaceAll(/\s+/g, ' '));
      await page.waitForTimeout(0);
      await look('the search of the docs', page);
    }
    for (const payload of payloads.slice(0, 6)) {
      await page.goto(`/docs/guides/${encodeURIComponent(payload)}`);
      await look('a missing page of the docs', page);
    }
    assert.deepEqual(found.splice(0), []);
    client.assertSound();
  });
});
