// @run sqlite: the texts are the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { called, connect } from '../support/mcp.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const sentences = [
  'Can someone take a look at the deployment? It has been red since this morning.',
  'On it. The migration needs a lock that the backup holds until nine.',
  'Thanks! I moved the release to tomorrow, so there is no hurry.',
  'The notes are in the wiki now: please add what you shipped.',
  'I am out on Friday, @ben has the pager.',
];

test("the list of tools and a page of messages fit into a model's context", async () => {
  const client = await connect(scene, scene.admin.key, '/mcp');
  const { tools } = await client.listTools();
  const listed = countTokens(JSON.stringify(tools));
  assert.ok(listed <= 1_500, `tools/list has ${listed} tokens`);
  const channel = await scene.channel();
  for (let count = 0; count < 50; count++)
    await scene.message({ channelId: channel.id, content: sentences[count % sentences.length] as string });
  const { text, data } = await called(client, 'read_channel', { channelId: channel.id });
  assert.equal(data.messages.length, 50);
  const page = countTokens(text);
  assert.ok(page <= 3_200, `a page has ${page} tokens`);
  // Some clients hand the structured result to the model.
  const structured = countTokens(JSON.stringify(data));
  assert.ok(structured <= 3_500, `a structured page has ${structured} tokens`);
  const { text: found } = await called(client, 'search', { q: 'deployment' });
  assert.ok(countTokens(found) <= 3_200);
  await client.close();
});
