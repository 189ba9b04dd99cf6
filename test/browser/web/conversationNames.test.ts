import assert from 'node:assert/strict';

import type { Page } from 'playwright-core';
import { violationsIn } from '../../support/axe.ts';
import { after, before, test } from '../../support/browser.ts';
import { rowOf, Talk } from '../../support/conversation.ts';
import { go } from '../../support/everyPage.ts';
import { dataOf } from '../../support/expect.ts';
import { update } from '../../support/sources.ts';
import { withoutWorker } from '../../support/webClient.ts';
import type { Json } from '../../support/world.ts';

/** The number of members: more than the palette and the autocompletion load at first. */
const CROWD = 12;

let talk: Talk;
let zoe: Json;
/** Ben's membership in the server. */
let ben: Json;
before(async () => {
  talk = await Talk.open();
  const { world } = talk.client;
  for (let made = 0; made < CROWD; made++) await world.member(talk.server, await world.user());
  zoe = await world.user({ name: 'Zoë Unseen' });
  await world.member(talk.server, zoe);
  const members = await talk.as.ada.get(`/servers/${talk.server.id}/members?userIds=${talk.ben.id}`);
  [ben] = dataOf(members);
  dataOf(await talk.as.ada.patch(`/server-members/${ben.id}`, { nickname: 'Big Ben' }));
});
after(() => talk?.client.close());

const ask = async (page: Page, words: string): Promise<string> => {
  await page.keyboard.press('Control+k');
  await page.locator('.palette-input').waitFor();
  await page.keyboard.type(words);
  return `${words}: ${await page.locator('.palette-entry[aria-selected=true]').first().innerText()}`;
};

test("a member whose name looks like another member's is marked, and their profile names the other member", async () => {
  const { world } = talk.client;
  await world.member(talk.server, await world.user({ name: 'Hedy Lamarr', username: 'hedy' }));
  const twin = await world.user({ name: 'Hedy L\u0430marr' });
  await world.member(talk.server, twin);
  const asTwin = await world.client(talk.server, ['canEditData'], twin);
  const said = dataOf(await asTwin.post('/messages', { channelId: talk.channel.id, content: 'It is me' }));
  const page = await talk.look('ada');
  const row = rowOf(page, said);
  await row.locator('.message-head', { hasText: 'Similar name' }).waitFor();
  await row.locator('.message-author').click();
  await page.locator('.profile', { hasText: 'looks like that of Hedy Lamarr (@hedy)' }).waitFor();
});

test('a nickname replaces the name, even after a change, and members without messages can be mentioned', async () => {
  const said = await talk.say('ben', `hello @${zoe.username}, @nobody-here and \`@${zoe.username}\``);
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await rowOf(page, said).locator('.message-author', { hasText: 'Big Ben' }).waitFor();
  await rowOf(page, said).locator('.mention', { hasText: '@Zoë Unseen' }).waitFor();
  assert.equal(await rowOf(page, said).locator('.mention').count(), 1);
  await rowOf(page, said).getByText('@nobody-here').waitFor();

  const listed = await talk.as.ada.get(`/servers/${talk.server.id}/members?usernames=${zoe.username},ben`);
  assert.deepEqual(
    dataOf(listed).map(({ userId }: Json) => userId),
    [zoe.id],
  );
  const answer = await talk.say('ada', 'to you', { replyToId: said.id });
  await rowOf(page, answer).locator('.message-glimpse-author', { hasText: 'Big Ben' }).waitFor();
  await rowOf(page, answer).locator('.message-glimpse', { hasText: 'hello @Zoë Unseen' }).waitFor();
  dataOf(await talk.as.ada.patch(`/server-members/${ben.id}`, { nickname: 'Tower' }));
  await rowOf(page, said).locator('.message-author', { hasText: 'Tower' }).waitFor();
  dataOf(await talk.as.ada.patch(`/server-members/${ben.id}`, { nickname: 'Big Ben' }));
  await rowOf(page, said).locator('.message-author', { hasText: 'Big Ben' }).waitFor();
  await page.close();
});

test('names from older data cannot hide or reverse text on the page', async () => {
  const there = await Talk.open(talk.client);
  const { world } = talk.client;
  const user = await world.user();
  await world.member(there.server, user);
  const member = dataOf(await there.as.ada.get(`/servers/${there.server.id}/members?userIds=${user.id}`))[0];
  const names = update('user', user.id, { name: 'Mal\u202elory\u200b' });
  const nicknames = update('serverMember', member.id, { nickname: `Eve\u2066${'\u0323'.repeat(90)}\u3164` });
  const channels = update('channel', there.channel.id, { name: 'plans\u202eexe' });
  await world.data.db.write(async (tx) => {
    for (const change of [names, nicknames, channels]) await tx.run(change);
  });
  const said = await there.say('ada', `hello @${user.username}`);
  const page = await there.look('ada');
  await rowOf(page, said).locator('.mention', { hasText: 'Eve' }).waitFor();
  const shown = (await page.evaluate('document.body.innerText')) as string;
  assert.match(shown, /plansexe/);
  assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069\u3164\u200b]|\p{M}{7}/u);
  assert.doesNotMatch(await page.title(), /\u202e/);
  await page.close();
});

test('a reply whose original failed to load is completed once the connection is restored', async () => {
  const there = await Talk.open(talk.client);
  const answered = await there.say('ben', 'what is answered');
  for (let said = 0; said < 260; said++) await there.say('ada', `between ${said}`);
  const answer = await there.say('ada', 'to you', { replyToId: answered.id });
  await there.readAll('ada');
  const page = await talk.client.signedIn(there.ada, '/me', withoutWorker);
  const lost = [`**/messages/${answered.id}?*`, '**/members?*userIds=*'];
  for (const read of lost) await page.route(read, (route) => route.abort());
  await go(page, there.path());
  const glimpse = rowOf(page, answer).locator('.message-glimpse');
  await glimpse.getByText('Loading the original').waitFor();
  for (const read of lost) await page.unroute(read);
  await page.context().setOffline(true);
  await page.getByText("You're offline").first().waitFor();
  await page.context().setOffline(false);
  await glimpse.getByText('what is answered').waitFor();
  await glimpse.getByText('Ben Okri').waitFor();
  await page.close();
  const { complaints } = talk.client.surfer;
  complaints.splice(
    0,
    complaints.length,
    ...complaints.filter((line) => !/ERR_(FAILED|INTERNET)/.test(line)),
  );
});

test('a link into the client navigates without a page load', async () => {
  const goal = await talk.say('ben', 'the goal');
  const url = `${talk.client.url}${talk.path(goal.id)}`;
  // Imports write links to messages as paths.
  const path = talk.path(goal.id);
  const said = await talk.say(
    'ben',
    `[over there](${url}), [as a path](${path}), and [the guides](${talk.client.url}/docs/)`,
  );
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await page.evaluate('window.isTheSame = true');
  await page.locator('.composer-field').fill('begun');
  await rowOf(page, said).getByText('over there').click();
  await page.waitForURL(url);
  await page.locator(`[data-message="${goal.id}"].message-marked`).waitFor();
  assert.equal(await page.evaluate('window.isTheSame'), true);
  assert.equal(await page.locator('.composer-field').inputValue(), 'begun');
  await rowOf(page, said).getByText('as a path').click();
  await page.locator(`[data-message="${goal.id}"].message-marked-again`).waitFor();
  assert.equal(await page.evaluate('window.isTheSame'), true);
  await page.locator('.composer-field').fill('');
  await rowOf(page, said).getByText('the guides').click();
  await page.waitForURL('**/docs/**');
  await page.close();
});

test('a message that mentions the reader stands out', async () => {
  const told = await talk.say('ben', `hey **@${talk.ada.username}**, see \`code\` and https://example.com`);
  const other = await talk.say('ben', `\`@${talk.ada.username}\` is your name`);
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await rowOf(page, told).locator('.mention-me').waitFor();
  const edgeOf = (message: Json) =>
    page.evaluate(
      `getComputedStyle(document.querySelector('[data-message="${message.id}"]')).borderInlineStartStyle`,
    );
  assert.deepEqual([await edgeOf(told), await edgeOf(other)], ['solid', 'none']);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violationsIn(page, { coloursAlone: true }), []);
  }
  await page.close();
});

test('the URL of a channel or message is shown as its name', async () => {
  const { client, channel } = talk;
  const goal = await talk.say('ben', 'the goal');
  const place = `${client.url}${talk.path()}`;
  const gone = place.replace(channel.id, goal.id);
  const said = await talk.say('ben', `${place} and ${place}/m/${goal.id}, [here](${place}), ${gone}`);
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await rowOf(page, said)
    .getByRole('link', { name: `#${channel.name} › message from Ben Okri` })
    .waitFor();
  assert.deepEqual(await rowOf(page, said).locator('.markdown a').allInnerTexts(), [
    `#${channel.name}`,
    `#${channel.name} › message from Ben Okri`,
    'here',
    gone,
  ]);
  await page.close();
});

test('a channel whose name contains spaces is mentioned with a link', async () => {
  const { serverId } = talk.channel;
  const name = 'Annual [report] & plans';
  const { id } = dataOf(await talk.as.ada.post('/channels', { serverId, name }));
  await talk.readAll('ada');
  const page = await talk.look('ada');
  await page.locator('.composer-field').focus();
  await page.keyboard.type('see #annu');
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page
    .locator('[data-message]')
    .getByRole('link', { name: `#${name}` })
    .click();
  await page.waitForURL(`**/c/${id}`);
  await page.close();
});

test('the palette finds settings pages, channel actions, and people who have not been loaded', async () => {
  const page = await talk.look('ada');
  for (const [words, found] of [
    ['api k', /API keys/],
    ['audit', /Audit log/],
    ['compact', /Switch to compact density/],
    ['disturb', /Status: Do not disturb/],
    ['set a st', /^set a st: Set a status…/],
    ['mute', /Mute channel/],
    ['zoe uns', /Zoë Unseen/],
  ] as const) {
    assert.match(await ask(page, words), found);
    await page.keyboard.press('Escape');
  }
  // A date or a link is itself a result.
  const said = await talk.say('ben', 'to be linked');
  assert.match(await ask(page, 'yesterday'), /Jump to .*\n#talk-/);
  await page.keyboard.press('Escape');
  assert.match(await ask(page, talk.client.url + talk.path(said.id)), /Go to linked message\n#talk-/);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${talk.path(said.id)}`);
  await ask(page, '2020-01-01');
  await page.keyboard.press('Enter');
  // The list starts on the first day after that date.
  await page.locator('.timeline-beginning').waitFor();
  await ask(page, 'pinned');
  await page.keyboard.press('Enter');
  await page.waitForURL(/panel=pins/);
  await ask(page, 'api k');
  await page.keyboard.press('Enter');
  await page.waitForURL(/settings\/keys/);
  await page.close();
});

test('keys typed while the palette, a dialog or the member list loads are kept for it', async () => {
  const page = await talk.look('ada');
  await page.route('**/*.js', (route) => setTimeout(() => route.continue(), 700));
  await page.locator('.composer-field').focus();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('inbox\n');
  await page.waitForURL(/panel=inbox/);
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  await page.keyboard.type('berth');
  const name = page.getByRole('dialog').getByRole('textbox', { name: 'Name' });
  await name.waitFor();
  await page.keyboard.type('s');
  assert.equal(await name.inputValue(), 'berths');
  await page.keyboard.press('Escape');
  // The dialog is closed before it has loaded.
  await page.reload();
  await page.getByRole('button', { name: 'Create channel' }).first().click();
  await page.keyboard.type('x');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Members', exact: true }).click();
  await page.keyboard.type('zo');
  await page.getByRole('searchbox', { name: 'Search members' }).waitFor();
  await page.keyboard.type('ë');
  assert.equal(await page.getByRole('searchbox', { name: 'Search members' }).inputValue(), 'zoë');
  assert.equal(await page.getByRole('dialog').count(), 0);
  assert.equal(await page.locator('.composer-field').inputValue(), '');
  await page.close();
});

test("a reaction's tooltip and dialog list everyone who reacted with that emoji", async () => {
  const said = await talk.say('ben', 'react to me');
  const { world } = talk.client;
  for (let made = 0; made < 3; made++) {
    const client = await world.client(talk.server, ['canEditData'], await world.user({ name: `R${made}` }));
    dataOf(await client.post('/reactions', { messageId: said.id, emoji: '👍' }));
  }
  dataOf(await talk.as.ben.post('/reactions', { messageId: said.id, emoji: '🎉' }));
  await talk.readAll('ada');
  const page = await talk.look('ada');
  // One request reads the reactions with one emoji.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).search));
  await rowOf(page, said).locator('.reaction', { hasText: '🎉' }).hover();
  await page.locator('#tooltip', { hasText: 'Big Ben' }).waitFor();
  assert.ok(asked.some((query) => new URLSearchParams(query).get('emoji') === '🎉'));
  await rowOf(page, said).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'View reactions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reactions' });
  await dialog.locator('.reactor').nth(2).waitFor();
  await dialog.getByRole('tab', { name: '🎉' }).click();
  await dialog.getByText('Big Ben').waitFor();
  assert.equal(await dialog.locator('.reactor').count(), 1);
  await page.close();
});

test('the page reports no error and makes no requests to other hosts', () => talk.client.assertSound());
