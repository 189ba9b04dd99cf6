import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { newPlaceholder } from '../../server/src/resources/placeholder.ts';
import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { png } from './pictures.ts';
import { Scene } from './scene.ts';
import { insert } from './sources.ts';
import { upload } from './uploads.ts';
import type { WebClient } from './webClient.ts';
import type { Client, Json } from './world.ts';

const source = readFileSync(join(import.meta.dirname, '../../web/routes.ts'), 'utf8');

/** The names of all pages and panels in the client, from its table of routes. */
export const pagesOfRoutes = (): string[] => [
  ...new Set(
    [...(/type Route =[\s\S]*?;\n\n/.exec(source)?.[0] ?? '').matchAll(/\bpage: ('[^;}]+)/g)].flatMap(
      ([, names = '']) => names.match(/(?<=')\w+(?=')/g) ?? [],
    ),
  ),
];
export const panelsOfRoutes = (): string[] =>
  (/panels = \[([^\]]+)\]/.exec(source)?.[1] ?? '').match(/(?<=')\w+(?=')/g) ?? [];

/** Text that runs code if a page treats it as HTML. */
const hostile = (name: string): string => `${name} <img src=x onerror="globalThis.hacked=1">`;

/** A server with hostile names and texts, and a person with all permissions in it and on the platform. */
export async function hostileScene(
  client: WebClient,
): Promise<{ person: Json; paths: Record<string, string[]> }> {
  const { world } = client;
  const person = await world.user({ name: hostile('Ada'), platformAdmin: true });
  const other = await world.user({ name: hostile('Ben') });
  const server = await world.server(person, hostile('Harbour'));
  const member = await world.member(server, other);
  const admin = await world.client(server, ['canAdmin'], person);
  const scene = new Scene({ world, owner: person, server, admin });
  await admin.patch(`/servers/${server.id}`, { description: hostile('Server'), welcome: hostile('Welcome') });
  await admin.patch(`/server-members/${member.id}`, { nickname: hostile('Nick') });
  const { channel, message, thread } = await talked(scene);
  const category = await scene.category({ name: hostile('Category') });
  await scene.channel({ name: hostile('inside'), categoryId: category.id });
  const role = await scene.role({ name: hostile('Role'), color: 'red' });
  await scene.make('/user-roles', { userId: other.id, roleId: role.id });
  const theirs = await world.client(server, ['canEditData'], other);
  await theirs.post('/messages', { channelId: channel.id, content: hostile(`@${person.username}`) });
  await extended(scene);
  const invite = await scene.invite({ maxUses: 3 });
  const banned = await world.user({ name: hostile('Mallory') });
  await scene.make('/server-bans', { userId: banned.id, reason: hostile('Reason') });
  const browser = await Browser.of(world, person, server);
  const direct = dataOf(await browser.api.post('/conversations', { userIds: [other.id] }));
  dataOf(await browser.api.patch(`/channels/${direct.id}`, { name: hostile('Direct') }));
  dataOf(await browser.api.post('/messages', { channelId: direct.id, content: hostile('whisper') }));
  await moderated(scene, { channel, message, theirs, browser });
  const talk = `/s/${server.id}/c/${channel.id}`;
  return {
    person,
    paths: {
      home: ['/'],
      server: [
        talk,
        `${talk}/m/${message.id}`,
        `/s/${server.id}/c/${direct.id}`,
        `${talk}?thread=${thread.id}`,
        ...panelsOfRoutes().map((panel) => `${talk}?panel=${panel}${panel === 'search' ? '&q=harbour' : ''}`),
      ],
      serverSettings: [`/s/${server.id}/settings`],
      direct: ['/direct'],
      me: ['/me'],
      later: ['/later/saved', '/later/scheduled'],
      platform: ['/platform'],
      signIn: ['/sign-in/none'],
      signUp: ['/sign-up'],
      invite: [`/invite/${invite.id}`],
      welcome: ['/welcome'],
      device: ['/device'],
      authorize: ['/authorize'],
      reset: ['/reset'],
      missing: ['/nowhere/at/all'],
    },
  };
}

/** Adds a channel with a message that has a file, reactions, a pin and a thread. */
async function talked(scene: Scene): Promise<Record<'channel' | 'message' | 'thread', Json>> {
  const { world, admin } = scene;
  const channel = await scene.channel({ name: hostile('talk'), description: hostile('Topic') });
  const { data: file } = await upload(world, admin, undefined, `${hostile('file')}.txt`);
  const message = await scene.make('/messages', {
    channelId: channel.id,
    content: hostile('harbour'),
    attachmentIds: [file.id],
  });
  const picture = { path: '/emoji', fields: { name: 'party_parrot' } };
  dataOf(await upload(world, admin, Buffer.from(png(40, 40)), 'emoji.png', picture));
  for (const emoji of ['🎉', ':party_parrot:', ':deleted:'])
    await scene.make('/reactions', { messageId: message.id, emoji });
  await scene.make('/pins', { messageId: message.id });
  const thread = await scene.thread({ messageId: message.id, name: hostile('Thread') });
  await scene.message({ threadId: thread.id, content: hostile('reply') });
  return { channel, message, thread };
}

/** Adds an app with its settings, a key, a webhook and a flow. */
async function extended(scene: Scene): Promise<void> {
  const app = await scene.app({
    name: hostile('App'),
    description: hostile('About'),
    publisherName: hostile('By'),
  });
  await scene.make('/app-installs', { appId: app.id, config: { [hostile('key')]: hostile('value') } });
  await scene.make('/secrets', { kind: 'appSecret', name: hostile('Secret'), appId: app.id, value: 'x' });
  await scene.secret({ name: hostile('Key') });
  await scene.webhook({ name: hostile('Hook') });
  await scene.flow();
}

/**
 * Adds items that await decisions by moderators and platform admins, so every list in the settings has a row.
 */
async function moderated(
  { world, server, admin }: Scene,
  { channel, message, theirs, browser }: { channel: Json; message: Json; theirs: Client; browser: Browser },
): Promise<void> {
  const inChannel = { channelId: channel.id };
  dataOf(await admin.patch(`/channels/${channel.id}`, { slowSeconds: 5, retentionDays: 30 }));
  const rules = `/servers/${server.id}/word-rules`;
  dataOf(await admin.post(rules, { pattern: 'zzyzx', action: 'hold' }));
  await theirs.post('/messages', { ...inChannel, content: hostile('zzyzx') });
  dataOf(await theirs.post('/reports', { messageId: message.id, reason: hostile('Report') }));
  dataOf(await admin.post(`/servers/${server.id}/exports`, {}));
  const late = await world.user({ name: hostile('Late') });
  const { id: lateId } = await world.member(server, late);
  dataOf(await admin.patch(`/server-members/${lateId}`, { timeoutUntil: world.data.deps.now() + 3_600_000 }));
  const imported = await world.user({ name: hostile('Imported') });
  await world.member(server, imported);
  const placeholder = { id: imported.id, email: null, source: 'slack', now: world.data.deps.now() };
  await world.data.db.write((tx) => tx.run(insert('placeholder', newPlaceholder(placeholder))));
  const anywhere = (path: string, body: object) => browser.post(path, body).then(dataOf);
  await anywhere('/platform/imports', {
    source: 'slack',
    serverId: server.id,
    bytes: 10,
    name: hostile('a.zip'),
  });
  await anywhere('/platform/holds', { serverId: server.id, reason: hostile('Case') });
  const gone = dataOf(await admin.post('/messages', { ...inChannel, content: hostile('gone') }));
  dataOf(await admin.delete(`/messages/${gone.id}`));
}

/** Navigates like a link in the client, and waits until nothing is loading. */
export async function go(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new Event('palaver-moved'))`,
  );
  // On a phone, a panel replaces the channel and becomes the main landmark.
  await page.getByRole('main').first().waitFor();
  await settled(page);
}

/** Waits until nothing is loading in the page. */
export async function settled(page: Page): Promise<void> {
  const isAtRest = `document.querySelector('main :not(.connection-bar *)') !== null &&
    document.querySelector('.spinner, [aria-busy="true"], .side-panel-waiting, .skeleton') === null`;
  for (let quiet = 0, turn = 0; quiet < 3 && turn < 60; turn++) {
    quiet = (await page.evaluate<boolean>(isAtRest)) ? quiet + 1 : 0;
    await page.waitForTimeout(30);
  }
}

/**
 * Controls that the window cuts off and that cannot be scrolled into view, and the number of pixels by which the page
 * is too wide.
 */
export const outOfReach = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push('the page is ' + (scrollWidth - clientWidth) + ' px wider than the window');
    const scrolls = (box) => {
      const { overflowX, overflowY } = getComputedStyle(box);
      return { x: /auto|scroll/.test(overflowX) && box.scrollWidth > box.clientWidth, y: /auto|scroll/.test(overflowY) && box.scrollHeight > box.clientHeight };
    };
    for (const one of document.querySelectorAll('a[href], button, input, select, textarea, [role="switch"]')) {
      if (!one.checkVisibility({ visibilityProperty: true }) || one.matches('.frame-skip, .only-read, .only-read *')) continue;
      const box = one.getBoundingClientRect();
      if (box.width === 0) continue;
      let [x, y] = [false, document.documentElement.scrollHeight > innerHeight];
      for (let each = one.parentElement; each; each = each.parentElement) {
        const way = scrolls(each);
        x ||= way.x;
        y ||= way.y;
      }
      const isOut = (!x && (box.left < -1 || box.right > innerWidth + 1)) || (!y && (box.top < -1 || box.bottom > innerHeight + 1));
      if (isOut) found.push((one.ariaLabel || one.textContent || one.className).slice(0, 40) + ' at ' + [box.left, box.top, box.right, box.bottom].map(Math.round));
    }
    return found;
  })()`);

/**
 * Elements with a running transition longer than 1 ms, or with an animation longer than 1 ms that changes more than
 * colours, outlines and opacity.
 */
export const moving = (page: Page): Promise<string[]> =>
  page.evaluate(`document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getTiming().duration > 1)
    .filter((one) => one instanceof CSSTransition || one.effect.getKeyframes().some((frame) => Object.keys(frame).some((name) =>
      !/^(offset|computedOffset|easing|composite|opacity|color|background.*|outline.*)$/.test(name))))
    .map((one) => (one.animationName ?? one.transitionProperty) + ' of ' + one.effect.target.className)`);
