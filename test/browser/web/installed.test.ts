import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { endingUnseen } from '../../../scripts/tests/cpu.ts';
import { after, before, test } from '../../support/browser.ts';
import { until } from '../../support/process.ts';
import { programOf } from '../../support/programs.ts';
import { signIn } from '../../support/webClient.ts';
import { type Json, World } from '../../support/world.ts';

// Tests the client as an installed app, and how its service worker is updated when the server is upgraded.

/** A proxy in front of a world. It can serve another service worker, as after an upgrade. */
class Front {
  readonly server: Server;
  /** Returns the script to serve as the service worker, given the world's script. */
  worker = (script: string): string => script;

  constructor(world: World) {
    this.server = createServer((request, response) => {
      const { url: path = '/', method, headers } = request;
      const isWorker = path === '/serviceWorker.js';
      const { 'if-none-match': _, 'accept-encoding': __, ...plain } = headers;
      const asked = send(
        world.url + path,
        { method, headers: isWorker ? plain : headers },
        async (answer) => {
          if (!isWorker) {
            response.writeHead(answer.statusCode ?? 0, answer.headers);
            answer.pipe(response);
            return;
          }
          const { 'content-length': _, etag: __, ...rest } = answer.headers;
          response.writeHead(answer.statusCode ?? 0, rest).end(this.worker(await text(answer)));
        },
      );
      // Closes an event stream when the window that reads it closes.
      asked.on('error', () => response.destroy());
      response.on('close', () => asked.destroy());
      request.pipe(asked);
    });
  }

  /** Browsers treat `localhost` as a secure context. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let world: World;
let front: Front;
let url: string;
let profile: string;
let context: BrowserContext;
let page: Page;
let server: Json;
before(async () => {
  world = await World.open();
  const person = await world.user();
  server = await world.server(person);
  front = new Front(world);
  url = await front.listen();
  profile = mkdtempSync(join(tmpdir(), 'palaver-profile-'));
  // Apps cannot be installed in private windows, which other tests use, so this browser has a profile.
  context = await chromium.launchPersistentContext(profile, {
    executablePath: programOf('chromium', 'chromium-browser', 'google-chrome') as string,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    baseURL: url,
  });
  await signIn(context, world, person, url);
  [page = await context.newPage()] = context.pages();
  await page.goto(`/s/${server.id}`);
  await page.getByText(server.name).first().waitFor();
});
after(async () => {
  if (context) await endingUnseen(() => context.close());
  front?.close();
  await world?.close();
  if (profile) await rm(profile, { recursive: true, force: true });
});

test('the client is installable: its manifest has no error, and its icons have the declared sizes', async () => {
  const devtools = await context.newCDPSession(page);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  assert.deepEqual(installabilityErrors, []);
  const { url: address, errors, data = '' } = await devtools.send('Page.getAppManifest');
  assert.deepEqual([address, errors], [`${url}/manifest.webmanifest`, []]);
  const { icons } = JSON.parse(data) as { icons: { src: string; sizes: string; purpose?: string }[] };
  const sizes = await page.evaluate<string[]>(
    `Promise.all(${JSON.stringify(icons)}.map(async ({ src }) => {
        const picture = new Image();
        picture.src = new URL(src, ${JSON.stringify(address)}).href;
        await picture.decode();
        return picture.naturalWidth + 'x' + picture.naturalHeight;
      }))`,
  );
  assert.deepEqual(
    sizes,
    icons.map((icon) => icon.sizes),
  );
  assert.ok(icons.some(({ purpose }) => purpose === 'maskable'));
});

test('the page keeps running while the server is upgraded: the new worker takes over and removes stale files', async () => {
  const kept = () =>
    page.evaluate<string[]>(
      `caches.open('palaver').then(async (cache) => (await cache.keys()).map(({ url }) => new URL(url).pathname))`,
    );
  const scripts = async () => (await kept()).filter((path) => path.endsWith('.js'));
  await until(async () => (await scripts()).length > 3);
  // Every page for a signed-in user requests this script.
  const isOfAll = (path: string) => path.includes('/SignedIn-');
  await until(async () => (await scripts()).some(isOfAll));
  const gone = (await scripts()).find(isOfAll) as string;
  await page.evaluate(
    `window.isSame = true; window.changes = 0;
       navigator.serviceWorker.addEventListener('controllerchange', () => window.changes++)`,
  );

  // Serves a build that does not contain the script.
  front.worker = (script) => script.replaceAll(gone.slice('/web/'.length), 'of-another-build.js');
  await page.evaluate(`navigator.serviceWorker.getRegistration().then((one) => one.update())`);
  await until(async () => (await page.evaluate<number>('window.changes')) === 1);
  await until(async () => !(await kept()).includes(gone));
  assert.ok((await scripts()).length > 2, 'the others stay');

  // The page was not reloaded, and its lazy scripts still load.
  await page.evaluate(
    `history.pushState(null, '', '/me/appearance'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.getByRole('heading', { name: 'Appearance' }).first().waitFor();
  assert.equal(await page.evaluate('window.isSame'), true);
  assert.equal(await page.evaluate('window.changes'), 1);

  // Offline, the page opens from the cache. The removed script is cached again, because the page has
  // requested it through the worker.
  front.worker = (script) => script;
  await page.evaluate(`navigator.serviceWorker.getRegistration().then((one) => one.update())`);
  await until(async () => (await page.evaluate<number>('window.changes')) === 2);
  await page.reload();
  await page.getByRole('heading', { name: 'Appearance' }).first().waitFor();
  await until(async () => (await kept()).includes(gone));
  await context.setOffline(true);
  await page.reload();
  await page.getByText("Can't reach the server").waitFor();
  await context.setOffline(false);
});
