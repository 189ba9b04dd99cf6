import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { receivedOf } from '../../server/src/http/hooks/bodies.ts';
import { cpuMs } from '../../server/src/lib/cpu.ts';
import { rendered, templateOf } from '../../server/src/payloads/template.ts';
import { assertRefused, type Code, dataOf } from '../support/expect.ts';
import { assertNotTaken, Hook, postTo } from '../support/hookPost.ts';
import { QUIET } from '../support/recorded.ts';
import { find } from '../support/sources.ts';
import { type Answer, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let hook: Hook;
before(async () => {
  hook = await Hook.open(await World.open({ clock }));
});
after(() => hook.world.close());

/** The body of a refusal. */
function refused(answer: Answer, code: Code): Json {
  assertRefused(answer, code);
  return answer.body;
}

/** Sets the webhook's template. */
const use = async (template: string | null): Promise<Json> =>
  dataOf(await hook.scene.admin.patch(`/webhooks/${hook.made.id}`, { template }));

const latest = async (): Promise<Json> => (await hook.messages(1))[0] as Json;

const show = (template: string, payload: unknown): string => rendered(templateOf(template), payload);

test('a template inserts values by path, and nothing for missing ones', () => {
  const payload = { a: { 'b-c': [{ d: 'x' }, 5] }, yes: true, none: null, big: '12345678901234567890', ü: 1 };
  const cases: [template: string, content: string][] = [
    ['{{a.b-c[0].d}} {{ a.b-c.1 }}', 'x 5'],
    ['{{yes}}{{none}}{{big}}{{ü}}', 'true123456789012345678901'],
    ['<{{nope}}{{a.nope.more}}{{a.b-c[7]}}{{a.b-c.length}}{{yes.x}}>', '<>'],
    ['{{a.__proto__.x}}{{constructor.name}}{{toString}}', ''],
    ['{{a}}', '{"b-c":[{"d":"x"},5]}'],
    ['no path', 'no path'],
  ];
  for (const [template, content] of cases) assert.equal(show(template, payload), content, template);
  assert.equal(show('{{0.x}} {{[1]}} {{[2][0]}}', [{ x: 1 }, 2, [3]]), '1 2 3');
});

test('every value is text: it starts no markup, does not break out of a link or code, and mentions nobody', () => {
  const cases: [template: string, value: unknown, content: string][] = [
    ['**{{v}}**', '*x* `y` [z](https://e.com) <b>', '**\\*x\\* \\`y\\` [z\\](https://e.com) \\<b>**'],
    ['{{v}}', '# a\n> b\n- c\n1. d', '\\# a\n\\> b\n\\- c\n1\\. d'],
    ['{{v}}', 'hi @ada', `hi @${QUIET}ada`],
    ['@{{v}}', 'ada', `@${QUIET}ada`],
    ['{{v}}ada', 'hi @', `hi @${QUIET}ada`],
    ['@ada {{v}}', 'x', '@ada x'],
    ['[log]({{v}})', 'https://e.com/a)(b c', '[log](https://e.com/a%29%28b%20c)'],
    ['[log]({{v}})', 'javascript:alert(1)', '[log]()'],
    ['[log](https://e.com/{{v}}/x)', 'a/b) c', '[log](https://e.com/a%2Fb)%20c/x)'],
    ['see {{v}}', 'https://e.com/a_b_c', 'see https://e.com/a_b_c'],
    ['`{{v}}`', 'a `b` @ada', `\`a 'b' @${QUIET}ada\``],
    ['```\n{{v}}\n```\n{{v}}', '*x*\n```\ny', "```\n*x*\n'''\ny\n```\n\\*x\\*\n\\`\\`\\`\ny"],
    ['~~~\n{{v}}\n~~~', '~~~\nout', '~~~\n-~~\nout\n~~~'],
    ['`` {{v}}` ``', '*', '`` *` ``'],
    ['\\`{{v}}\\`', '*', '\\`\\*\\`'],
    ['a ` b {{v}}\n\n`', '*', 'a ` b \\*\n\n`'],
  ];
  for (const [template, v, content] of cases) assert.equal(show(template, { v }), content, template);
});

test('an invalid template is rejected with the required change', async () => {
  const { admin } = hook.scene;
  const cases: [template: string, reason: string][] = [
    ['{{#each a}}', 'wrong_form'],
    ['{{a', 'wrong_form'],
    ['a}}', 'wrong_form'],
    ['{{a\n}}', 'wrong_form'],
    [' \n', 'blank'],
    ['{{a}}'.repeat(101), 'too_many'],
    ['x'.repeat(4_001), 'too_long'],
  ];
  for (const [template, reason] of cases)
    for (const path of [`/webhooks/${hook.made.id}`, `/webhooks/${hook.made.id}/preview`]) {
      const method = path.endsWith('preview') ? 'post' : 'patch';
      const { error } = refused(await admin[method](path, { template }), 'INVALID_REQUEST');
      assert.equal(error.details[0].reason, reason, template.slice(0, 20));
    }
  const out = await hook.scene.webhook();
  refused(await admin.patch(`/webhooks/${out.id}`, { template: 'x' }), 'INVALID_REQUEST');
  refused(await admin.post('/webhooks', { url: 'https://example.com', template: 'x' }), 'INVALID_REQUEST');
  refused(await admin.post(`/webhooks/${out.id}/preview`, {}), 'INVALID_REQUEST');
  dataOf(await admin.patch(`/webhooks/${out.id}`, { template: null }));
});

test('a webhook with a template converts JSON and forms with it, until it is cleared', async () => {
  assert.equal((await use('**{{service}}** is {{state}}')).template, '**{{service}}** is {{state}}');
  const body = { service: 'db', state: '*down*' };
  assert.equal((await hook.post(body)).text, 'ok');
  assert.equal((await latest()).content, '**db** is \\*down\\*');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await hook.post('service=web&state=up', form);
  assert.equal((await latest()).content, '**web** is up');
  // The template also applies to bodies in known formats, unless the URL names the format.
  await hook.post({ ...body, text: 'text' });
  assert.equal((await latest()).content, '**db** is \\*down\\*');
  await hook.post({ ...body, text: 'text' }, {}, '/slack');
  assert.equal((await latest()).content, 'text');
  // Plain text has no paths that a template could insert.
  await hook.post('plain', { 'content-type': 'text/plain' });
  assert.equal((await latest()).content, 'plain');
  await use(null);
  assertNotTaken(await hook.post(body), 'INVALID_REQUEST');
  await hook.post({ ...body, text: 'text' });
  assert.equal((await latest()).content, 'text');
});

test('if a template produces nothing for a body, its format is detected', async () => {
  await use('{{service}}');
  await hook.post({ text: 'another' });
  assert.equal((await latest()).content, 'another');
  assertNotTaken(await hook.post({ other: 1 }), 'INVALID_REQUEST');
  await hook.post({ service: 'x'.repeat(9_000) });
  assert.equal([...(await latest()).content].length, 8_000);
  await hook.post('{"service": 12345678901234567890}');
  assert.equal((await latest()).content, '12345678901234567890');
  await use(null);
});

const preview = (id: string, template?: string | null, client = hook.scene.admin) =>
  client.post(`/webhooks/${id}/preview`, template === undefined ? {} : { template });

test('the preview shows the last body and its message, even if the body was rejected', async () => {
  const { id: channelId } = await hook.scene.channel();
  const { id, path } = await hook.scene.webhook({ direction: 'in', url: undefined, channelId });
  const none = dataOf(await preview(id, '{{first}}'));
  assert.deepEqual([none.body, none.receivedAt, none.content], [null, null, null]);
  await postTo(hook.world, path, { first: 1 });
  clock.advance(1_000);
  assertNotTaken(await postTo(hook.world, path, { service: 'db', list: [1, 2] }), 'INVALID_REQUEST');
  const found = dataOf(await preview(id, '{{service}}: {{list[1]}}'));
  assert.deepEqual(
    [found.id, found.content, JSON.parse(found.body), found.isWhole],
    [id, 'db: 2', { service: 'db', list: [1, 2] }, true],
  );
  assert.equal(found.receivedAt, clock.now());
  assert.equal(dataOf(await preview(id)).content, null);
  assert.equal(dataOf(await preview(id, '{{nope}}')).content, null);
  dataOf(await hook.scene.admin.patch(`/webhooks/${id}`, { template: '{{service}}' }));
  assert.equal(dataOf(await preview(id)).content, 'db');
  assert.equal(dataOf(await preview(id, null)).content, null);
  // Plain text is not kept for the preview, because it has no paths that a template could insert.
  await postTo(hook.world, path, 'text', { 'content-type': 'text/plain' });
  assert.equal(dataOf(await preview(id)).content, 'db');
});

test('only the start of a large body is kept, encrypted', async () => {
  const { id, path } = hook.made;
  const list = Array.from({ length: 2_000 }, (_, index) => ({ index, note: 'a secret' }));
  await hook.post({ text: 'x'.repeat(100_000), list, last: 1 });
  const { body, isWhole } = dataOf(await preview(id));
  assert.equal(isWhole, false);
  assert.ok(body.length < 40_000 && body.length > 10_000, String(body.length));
  const kept = JSON.parse(body);
  assert.deepEqual(kept.list[0], { index: 0, note: 'a secret' });
  assert.equal(kept.text.length, 2_001);
  const row = await hook.world.data.db.read.first(find('webhookBody', { id }));
  assert.ok(row && !JSON.stringify(row).includes('secret'));
  assert.ok(!JSON.stringify(row).includes(path));
});

test('the last body is only shown to callers who can manage the webhook, and is deleted with it', async () => {
  const { scene, world } = hook;
  const channel = await scene.channel();
  const { id, path } = await scene.webhook({ direction: 'in', url: undefined, channelId: channel.id });
  await postTo(world, path, { text: 'secret' });
  for (const flags of [[], ['canEditData'], ['canEditApp']] as const)
    refused(await preview(id, undefined, await world.client(scene.server, flags)), 'FORBIDDEN');
  // The webhook's events have its template, but no body.
  const [event] = dataOf(await scene.admin.get('/events?types=webhook.*&order=desc&limit=1'));
  assert.ok(!JSON.stringify(event).includes('secret'));
  dataOf(await scene.admin.delete(`/webhooks/${id}`));
  assert.equal(await world.data.db.read.first(find('webhookBody', { id })), undefined);
});

test('rendering a template takes a few milliseconds, for any template and body', async () => {
  const signs = ['&', '*a ', '[x](', '`', '\n> ', '@a ', '\\', '"'];
  const templates = [
    '{{v}} '.repeat(100),
    '`{{v}}` '.repeat(100),
    '[x]({{v}}) '.repeat(100),
    '{{list}} '.repeat(100),
    '` '.repeat(2_000),
    '`a``b'.repeat(800),
    `${'{'.repeat(1_000)}${'a'.repeat(1_000)}`,
    '](<'.repeat(1_300),
  ];
  const list = Array.from({ length: 10_000 }, () => ({ a: 1 }));
  for (const template of templates)
    for (const sign of signs) {
      const { payload } = await receivedOf(
        { 'content-type': 'application/json' },
        Buffer.from(JSON.stringify({ v: sign.repeat(400_000 / sign.length), list })),
      );
      let ms = Number.POSITIVE_INFINITY;
      for (let time = 0; time < 5 && ms > 20; time++) {
        const from = cpuMs();
        try {
          show(template, payload);
        } catch {
          // The text is not a valid template.
        }
        ms = Math.min(ms, cpuMs() - from);
      }
      assert.ok(ms <= 20, `${JSON.stringify(template.slice(0, 20))} with ${sign}: ${ms.toFixed(1)} ms`);
    }
});
