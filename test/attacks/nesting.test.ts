import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { change, createFlow } from '../support/sources.ts';
import { type Answer, type Json, World } from '../support/world.ts';

// Deeply nested or very large JSON in every field that accepts any JSON.

let world: World;
let scene: Scene;
let channel: Json;
let hook: Json;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  hook = await scene.webhook({ direction: 'in', url: undefined, channelId: channel.id });
});
after(() => world.close());

/** A value nested this many levels deep. */
function nested(levels: number, wrap: (inner: unknown) => unknown = (inner) => ({ inner })): Json {
  let value: unknown = 'the innermost';
  for (let level = 1; level < levels; level++) value = wrap(value);
  return value;
}

const post = (payload: object): Promise<Answer> =>
  world.request('POST', `${world.url}${hook.path}`, { body: payload });

test("an app's meta and an install's config can have at most 31 levels inside the body", async () => {
  const app = await scene.app();
  for (const wrap of [(inner: unknown) => ({ inner }), (inner: unknown) => [inner]]) {
    const [good, bad] = [nested(32, wrap), nested(33, wrap)];
    dataOf(await scene.admin.patch(`/apps/${app.id}`, { meta: good }));
    assert.deepEqual(dataOf(await scene.admin.get(`/apps/${app.id}`)).meta, good);
    const refused = await scene.admin.patch(`/apps/${app.id}`, { meta: bad });
    assertRefused(refused, 'INVALID_REQUEST');
    assert.match(refused.body.error.message, /nested more than 32 levels deep/);
  }
  const config = (levels: number) => ({ appId: app.id, config: nested(levels) });
  assertRefused(await scene.admin.post('/app-installs', config(33)), 'INVALID_REQUEST');
  await scene.make('/app-installs', config(32));
});

test('a flow created on the command line can be nested at most 32 levels deep, so that it can be listed', async () => {
  const add = (trigger: string, steps: string) =>
    change(world.data, (work) => createFlow(work, { server: scene.server.id, name: 'Deep', trigger, steps }));
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
  await assert.rejects(add(deep, '[]'), /--trigger must be well-formed JSON, at most 32 levels deep/);
  await assert.rejects(
    add('{"on":"manual"}', deep),
    /--steps must be well-formed JSON, at most 32 levels deep/,
  );
  const steps = (levels: number) => JSON.stringify([{ do: 'set', values: { a: nested(levels) } }]);
  await assert.rejects(add('{"on":"manual"}', steps(33)), /--steps must be well-formed JSON/);
  await add('{"on":"manual"}', steps(28));
  dataOf(await scene.admin.get(`/servers/${scene.server.id}/flows`));
});

const richText = (levels: number, type: string, text = 'Hello'): Json => {
  const inner = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  return { type: 'rich_text', elements: [nestedElements(levels - 2, type, inner)] };
};

function nestedElements(levels: number, type: string, inner: Json): Json {
  let element = inner;
  for (let level = 0; level < levels; level++) element = { type, elements: [element] };
  return element;
}

test('blocks in incoming webhooks can nest elements at most 6 levels deep', async () => {
  for (const type of ['rich_text_quote', 'rich_text_list', 'anything']) {
    assert.equal((await post({ blocks: [richText(6, type)] })).body, 'ok');
    for (const payload of [
      { blocks: [richText(7, type)] },
      { attachments: [{ blocks: [richText(7, type)] }] },
    ]) {
      const refused = await post(payload);
      assertRefused(refused, 'INVALID_REQUEST');
      assert.match(
        refused.body.error.message,
        /^(blocks|attachments): must not nest `elements` more than 6 levels deep/,
      );
    }
  }
});

test('blocks and attachments in incoming webhooks can have at most 5,000 values each', async () => {
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'Hello' } };
  assert.equal((await post({ blocks: Array(900).fill(section) })).body, 'ok');
  const refusals = {
    blocks: { blocks: Array(1000).fill(section) },
    attachments: { text: 'Hello', attachments: Array(100_000).fill(0) },
  };
  for (const [part, payload] of Object.entries(refusals)) {
    const refused = await post(payload);
    assertRefused(refused, 'INVALID_REQUEST', part, part);
    assert.match(refused.body.error.message, /at most 5000 values/);
  }
});

test('a quote with very many lines is truncated like any long message', async () => {
  const text = 'a\n'.repeat(80_000);
  assert.equal((await post({ blocks: [richText(6, 'rich_text_quote', text)] })).body, 'ok');
  const [sent] = dataOf(await scene.admin.get(`/channels/${channel.id}/messages?limit=1`));
  assert.equal([...sent.content].length, 8000);
  assert.ok(sent.content.startsWith('> > > > a\n> > > > a\n'), sent.content.slice(0, 30));
  assert.ok(sent.content.endsWith('…'));
});
