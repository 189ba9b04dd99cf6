import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium } from 'playwright-core';
import { programOf } from '../test/support/programs.ts';
import { openCompany } from './company.ts';

// `npm run screenshots` writes the images in docs/images, which show a small company's conversation. It creates its
// own data.

const target = join(import.meta.dirname, '..', 'docs', 'images');
const { origin, serverId, channelId, threadId, session, close } = await openCompany();
const browser = await chromium.launch({
  executablePath: programOf('chromium', 'chromium-browser', 'google-chrome') as string,
  args: ['--no-sandbox'],
});
mkdirSync(target, { recursive: true });

async function picture(file: string, path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    baseURL: origin,
    ...options,
  });
  await context.addCookies([
    { name: 'palaver', value: session, url: origin, httpOnly: true, sameSite: 'Strict' },
  ]);
  const page = await context.newPage();
  await page.goto(path);
  await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => undefined);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(target, file) });
  await context.close();
}

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const here = `/s/${serverId}/c/${channelId}`;
await picture('conversation.png', here);
await picture('thread-dark.png', `${here}?thread=${threadId}`, { colorScheme: 'dark' });
await picture('roles.png', `/s/${serverId}/settings/roles`);
await picture('keys.png', `/s/${serverId}/settings/keys`, { colorScheme: 'dark' });
await picture('phone.png', here, phone);
await picture('phone-channels-dark.png', `/s/${serverId}`, { ...phone, colorScheme: 'dark' });
await browser.close();
await close();
