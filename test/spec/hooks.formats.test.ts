// @run sqlite: tests texts before any data is written
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { alertBodies } from '../support/alertBodies.ts';
import { cardBodies } from '../support/cardBodies.ts';
import { giteaEvents } from '../support/giteaEvents.ts';
import { githubEvents } from '../support/githubEvents.ts';
import { gitlabEvents } from '../support/gitlabEvents.ts';
import { assertNotTaken, Hook } from '../support/hookPost.ts';
import { moreServiceBodies } from '../support/moreServiceBodies.ts';
import { discordBodies, plainBodies } from '../support/plainBodies.ts';
import { serviceBodies } from '../support/serviceBodies.ts';
import { World } from '../support/world.ts';

let hook: Hook;
before(async () => {
  hook = await Hook.open(await World.open());
});
after(() => hook.world.close());

const forges = { GitHub: githubEvents, Gitea: giteaEvents, GitLab: gitlabEvents };
const others = {
  'monitoring tools': alertBodies,
  Discord: discordBodies,
  scripts: plainBodies,
  services: [...serviceBodies, ...moreServiceBodies, ...cardBodies],
};

for (const [from, requests] of Object.entries({ ...forges, ...others })) {
  test(`webhook payloads from ${from} become readable messages`, async () => {
    for (const request of requests)
      assert.equal(await hook.contentOf(request), request.content, request.from);
  });
}

test('events from a forge are also recognized by their structure', async () => {
  for (const { body, content, from } of gitlabEvents)
    assert.equal(await hook.contentOf({ body }), content, from);
  for (const { headers, body, content, from } of githubEvents) {
    // Without a header, these events cannot be told apart.
    const event = headers?.['x-github-event'] ?? '';
    if (['constructor', 'milestone', 'star', 'dependabot_alert', 'gollum', 'fork'].includes(event)) continue;
    if (['create', 'delete', 'status', 'deployment_status'].includes(event)) continue;
    assert.equal(await hook.contentOf({ body }), content, from);
    assert.equal(await hook.contentOf({ body, suffix: '/github' }), content, from);
  }
});

test('an unknown event is shown with its name, repository and actor', async () => {
  const repository = { full_name: 'acme/engine' };
  const sender = { login: 'ada' };
  const unknown: [headers: Record<string, string>, body: object, content: string][] = [
    [{ 'x-github-event': 'brand_new' }, { repository, sender }, 'acme/engine: **ada** brand new'],
    [{ 'x-github-event': 'brand_new' }, {}, 'brand new'],
    [{ 'x-github-event': '__proto__' }, { action: 'toString' }, 'proto tostring'],
    [{ 'x-gitea-event': 'brand_new' }, { action: 'made' }, 'brand new made'],
    [{ 'x-gitlab-event': 'Brand New Hook' }, {}, 'brand new'],
    [{ 'x-gitlab-event': 'System Hook' }, { event_name: 'user_create', name: 'Ada' }, 'user create: Ada'],
    [{ 'x-github-event': '' }, { action: 'made', sender }, '**ada** event made'],
  ];
  for (const [headers, body, content] of unknown)
    assert.equal(await hook.contentOf({ headers, body }), content, JSON.stringify(headers));
});

test("text quoted from a forge mentions nobody, but a program's own text does", async () => {
  const { scene, world } = hook;
  const user = await world.user();
  const reader = await world.client(scene.server, [], user);
  const count = async () => (await reader.get('/notifications')).body.data.length;
  const name = `@${user.username}`;
  const url = `https://example.com/${name}`;
  const comment = { body: `${name} \`${name}\`\n\n    ${name}\n${url}`, html_url: url };
  const issue = { number: 1, title: name, body: name, html_url: url };
  const push = { ref: `refs/heads/${name}`, commits: [{ id: name, message: name, url, author: { name } }] };
  const note = { note: name, url, title: name };
  const quiet: [headers: Record<string, string>, body: object][] = [
    [{ 'x-github-event': 'issue_comment' }, { action: 'created', comment, issue, sender: { login: name } }],
    [{ 'x-github-event': 'issues' }, { action: 'opened', issue, repository: { full_name: name } }],
    [{ 'x-github-event': 'push' }, { ...push, compare: url, pusher: { name } }],
    [{ 'x-github-event': name }, { action: name }],
    [{ 'x-gitea-event': 'issue_comment' }, { action: name, comment, issue }],
    [
      { 'x-gitlab-event': 'Note Hook' },
      { object_kind: 'note', object_attributes: note, user: { username: name } },
    ],
    [{ 'x-gitlab-event': 'Push Hook' }, { object_kind: 'push', ...push, user_username: name }],
    [{}, { text: `<@${user.username}> <!subteam^S1|${name}> <!${user.username}>` }],
    [{}, { text: `<${url}|see> <${url}>` }],
    [{}, { embeds: [{ title: 'see', url }] }],
  ];
  for (const [headers, body] of quiet) {
    const content = await hook.contentOf({ headers, body });
    assert.match(content, /user|see/);
    assert.equal(await count(), 0, content);
  }
  const loud: object[] = [
    { text: name },
    { message: name },
    { content: name },
    { text: `<@U1|${user.username}>` },
  ];
  for (const [index, body] of loud.entries()) {
    await hook.contentOf({ body });
    assert.equal(await count(), index + 1, JSON.stringify(body));
  }
});

test('the format of an ambiguous body is determined by its header, then by its URL suffix', async () => {
  const body = { text: '*slack*', content: '*discord*', zen: 'github' };
  assert.equal(await hook.contentOf({ body, suffix: '/slack' }), '**slack**');
  assert.equal(await hook.contentOf({ body, suffix: '/discord' }), '*discord*');
  assert.equal(await hook.contentOf({ body, suffix: '/github' }), 'webhook is connected: github');
  const headers = { 'x-github-event': 'ping' };
  assert.equal(await hook.contentOf({ body, headers, suffix: '/slack' }), 'webhook is connected: github');
  // If the format in the suffix finds nothing to show, the structure of the body decides.
  assert.equal(await hook.contentOf({ body: { content: 'x' }, suffix: '/slack' }), 'x');
});

test('a body with nothing to show is rejected with a list of all supported formats', async () => {
  const newest = await hook.newest();
  const bodies = [
    {},
    { other: 1 },
    { content: '' },
    { embeds: [{}] },
    { message: ' ', title: null },
    { embeds: 'none', components: [[[]]] },
    { content: '\u200B' },
  ];
  for (const suffix of ['', '/slack', '/discord']) {
    for (const body of bodies) {
      const refused = await hook.post(body, {}, suffix);
      assertNotTaken(refused, 'INVALID_REQUEST');
      const { message } = JSON.parse(refused.text).error;
      for (const word of [
        'text, blocks',
        'content or embeds',
        'message, msg',
        'GitHub',
        'Grafana',
        'text/plain',
      ])
        assert.ok(message.includes(word), message);
    }
  }
  const unreadable: [body: string, type: string][] = [
    ['', 'text/plain'],
    [' \n', 'text/plain'],
    ['--x\r\n', 'multipart/form-data; boundary=x'],
    ['--x\r\n', 'multipart/form-data'],
    ['<message>', 'application/xml'],
    ['payload_json=[', 'application/x-www-form-urlencoded'],
  ];
  for (const [body, type] of unreadable)
    assertNotTaken(await hook.post(body, { 'content-type': type }), 'INVALID_REQUEST');
  assertNotTaken(await hook.post({ text: 'x' }, {}, '/other'), 'NOT_FOUND');
  assertNotTaken(await hook.post({ text: 'x' }, {}, '/slack/more'), 'NOT_FOUND');
  assert.equal(await hook.newest(), newest);
});

test('URLs with a suffix also require the token and support Idempotency-Key', async () => {
  for (const suffix of ['/slack', '/discord', '/github']) {
    const wrong = await hook.post({ text: 'x' }, {}, `0${suffix}`);
    assertNotTaken(wrong, 'INVALID_API_KEY');
    const newest: (string | undefined)[] = [await hook.newest()];
    for (let time = 0; time < 2; time++) {
      await hook.post({ text: 'x' }, { 'idempotency-key': `run${suffix}` }, suffix);
      newest.push(await hook.newest());
    }
    assert.notEqual(newest[1], newest[0]);
    assert.equal(newest[2], newest[1]);
  }
});
