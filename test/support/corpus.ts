import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { payloads } from './payloads.ts';
import { Scene } from './scene.ts';
import { change, insert } from './sources.ts';
import { upload } from './uploads.ts';
import type { Json, World } from './world.ts';

/** Traces that injected code leaves in a page. No page may contain any. */
export const intruders = `[
  ...[...document.querySelectorAll('script:not([src^="/web/"], [src^="/docs/assets/"]), iframe, object, embed, base, math, svg animate, meta[http-equiv], body link, body style, .message-text :is(img, svg, form, meta):not(.icon, .icon *, button *), form[action], [formaction], [srcdoc], [background]')].map((one) => one.outerHTML.slice(0, 120)),
  ...[...document.querySelectorAll('body *')].flatMap((one) => [...one.attributes].filter(({ name, value }) =>
    /^on/i.test(name) || (/^(href|src|action|xlink:href|poster)$/i.test(name) && /^[\\s\\u0000-\\u001f]*(javascript|vbscript|data:text|file):?/i.test(value)) ||
    (/^(src|srcset|poster)$/i.test(name) && /evil/.test(value))).map(({ name, value }) => one.localName + ' ' + name + '=' + value.slice(0, 80))),
  ...(globalThis.hacked === undefined ? [] : ['something ran']),
]`;

/** A server with payloads in every kind of text that people control. Most kinds contain each of the payloads. */
export interface Corpus {
  /** A person with all permissions in the server and on the platform. */
  person: Json;
  server: Json;
  channels: Json[];
  /**
   * A channel with a message for each payload. Each message has a file, a reaction, a thread, a pin, and a reply by a
   * person with the payload as their name.
   */
  talk: Json;
  messages: Json[];
  invite: Json;
}

/** A payload as a name: on one line, without the characters that names must not contain, and cut to the maximum length. */
const asName = (payload: string, most = 100): string =>
  [...payload.replaceAll(/\s+/g, ' ').replaceAll(/\p{C}/gu, '')].slice(0, most).join('');
const colours = ['url(//evil.example/x)', 'red;background:url(//evil', 'expression(hacked=1)', 'var(--x)'];
/** The image is on another host, so pages show initials instead. */
const picture = 'https://evil.example/track.png';

/** Creates most records through the API. Inserts passkeys, because registering one requires a ceremony. */
export async function openCorpus(world: World): Promise<Corpus> {
  const person = await world.user({ name: asName(payloads[2] ?? ''), platformAdmin: true });
  const server = await world.server(person, asName(payloads[0] ?? ''));
  const admin = await world.client(server, ['canAdmin'], person);
  const scene = new Scene({ world, owner: person, server, admin });
  const browser = await Browser.claimed(world, person);
  const [text = ''] = payloads;
  await scene.make('/channels', { name: 'first' });
  dataOf(
    await admin.patch(`/servers/${server.id}`, {
      description: text,
      welcome: payloads.slice(0, 6).join('\n'),
    }),
  );
  const talk = await scene.channel({ name: asName(`talk ${text}`), description: text });
  const corpus: Corpus = { person, server, channels: [], talk, messages: [], invite: await scene.invite() };
  for (const [at, payload] of payloads.entries()) {
    // Two payloads differ only in case, but channel names must be unique regardless of case.
    const name = `${asName(payload, 96)} ${at}`;
    corpus.channels.push(await scene.channel({ name, description: payload }));
    const role = await scene.role({ name, color: colours[at % colours.length] });
    const theirs = await joined(scene, { name, payload, role });
    const { id: fileId } = dataOf(await upload(world, admin, undefined, `${asName(payload, 90)}.txt`));
    const message = await scene.make('/messages', {
      channelId: talk.id,
      content: payload,
      attachmentIds: [fileId],
    });
    corpus.messages.push(message);
    await scene.make('/reactions', { messageId: message.id, emoji: asName(payload, 64) });
    await scene.thread({ messageId: message.id, name });
    const answer = { channelId: talk.id, replyToId: message.id, content: `@${person.username} ${payload}` };
    dataOf(await theirs.api.post('/messages', answer));
    await scene.make('/pins', { messageId: message.id });
    dataOf(await theirs.patch('/presence/me', { status: 'online' }));
    if (at % 3 === 0) await scene.secret({ name });
    if (at % 3 === 1) await scene.webhook({ name });
    if (at % 3 === 2) await scene.webhook({ name, direction: 'in', url: undefined, channelId: talk.id });
    await addApp(scene, { name, payload, isSubmitted: at % 2 === 0 });
    browser.place = server.id;
    const steps = [{ do: 'message.send', channelId: talk.id, content: 'Hello' }];
    const parts = { trigger: { on: 'manual' }, steps };
    dataOf(await browser.api.post('/flows', { name, description: payload, ...parts }));
    const banned = await world.user({ name });
    await scene.make('/server-bans', { userId: banned.id, reason: payload });
    if (at % 6 === 0) await world.server(person, name);
    await Browser.of(world, person, undefined, payload.slice(0, 200));
    await passkeyOf(world, person, name);
  }
  return corpus;
}

/** The browser of a new member with this name and role. */
async function joined(
  { world, server, admin }: Scene,
  { name, payload, role }: { name: string; payload: string; role: Json },
): Promise<Browser> {
  const user = await world.user({ name });
  await world.member(server, user);
  dataOf(await admin.post('/user-roles', { userId: user.id, roleId: role.id }));
  const browser = await Browser.of(world, user, server, payload.slice(0, 200));
  dataOf(await browser.patch('/me', { image: picture }));
  dataOf(await browser.patch('/presence/me', { status: 'idle', text: name }));
  return browser;
}

/** Adds an app with its settings and a secret. */
async function addApp(
  scene: Scene,
  { name, payload, isSubmitted }: { name: string; payload: string; isSubmitted: boolean },
): Promise<void> {
  const about = {
    description: payload,
    publisherName: name,
    category: name,
    version: name,
    image: picture,
  };
  const app = await scene.app({ name, ...about });
  if (isSubmitted) await scene.make('/apps/submit', { id: app.id });
  await scene.make('/app-installs', { appId: app.id, config: { [payload]: payload } });
  await scene.make('/secrets', { kind: 'appSecret', name, appId: app.id, value: payload });
}

/** Adds a passkey with this name, without an authenticator. */
const passkeyOf = (world: World, { id: userId }: Json, name: string): Promise<void> =>
  change(world.data, async ({ db, newRow }) => {
    const row = newRow();
    const key = { credential: row.id, publicKey: 'AAEC', counter: 7, transports: [] };
    const flags = { backupEligible: true, backedUp: false, lastUsedAt: null };
    await db.run(insert('passkey', { ...row, userId, ...key, ...flags, origin: 'http://localhost', name }));
  });
