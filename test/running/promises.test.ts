// @run sqlite: compares documents
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import type { Json } from '../support/world.ts';

const root = join(import.meta.dirname, '..', '..');
const document = readFileSync(join(root, 'docs', 'openapi.json'), 'utf8');
const stage = new Stage();
const folder = stage.folder();
const promises = join(folder, 'promises.txt');
after(() => stage.close());

function compare(changed: Json, ...options: string[]): { code: number | null; told: string[] } {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(changed));
  const script = join(root, 'scripts', 'compatible.ts');
  const { status, stderr } = spawnSync(process.execPath, [script, file, promises, ...options], {
    encoding: 'utf8',
  });
  return { code: status, told: stderr.split('\n\n')[0]?.split('\n').filter(Boolean) ?? [] };
}

function changed(change: (document: Json) => void): Json {
  const copy = JSON.parse(document);
  change(copy);
  return copy;
}

const send = ({ paths }: Json) => paths['/api/v1/messages'].post;
const sent = (all: Json) => send(all).requestBody.content['application/json'].schema;
const demand = (all: Json, field: string) => {
  const schema = sent(all);
  schema.required = [...(schema.required ?? []), field];
};
const query = (all: Json, name: string) =>
  all.paths['/api/v1/channels/{channelId}/messages'].get.parameters.find((each: Json) => each.name === name);

test('the document of this version keeps its own promises', () => {
  assert.deepEqual(compare(JSON.parse(document), '--release'), { code: 0, told: [] });
  assert.deepEqual(compare(JSON.parse(document)), { code: 0, told: [] });
});

const breaking: Record<string, [change: (all: Json) => void, told: RegExp]> = {
  'an operation is removed': [
    ({ paths }) => delete paths['/api/v1/pins'].post,
    /^gone: pinInsert: POST \/api\/v1\/pins$/,
  ],
  'an operation moves': [
    ({ paths }) => {
      paths['/api/v1/pinned'] = paths['/api/v1/pins'];
      delete paths['/api/v1/pins'];
    },
    /^gone: pinInsert: POST \/api\/v1\/pins$/,
  ],
  'an operation is renamed': [
    (all) => {
      send(all).operationId = 'send';
    },
    /^gone: messageSend: POST/,
  ],
  'a field of an answer is removed': [
    ({ components }) => delete components.schemas.Pin.properties.creatorId,
    /^gone: Pin\.creatorId: string$/,
  ],
  'a field of an answer may be absent': [
    ({ components }) => {
      components.schemas.Pin.required = ['id'];
    },
    /^gone: Pin\.creatorId always$/,
  ],
  'a field of an answer has another type': [
    ({ components }) => {
      components.schemas.Pin.properties.createdAt.type = 'string';
    },
    /^gone: Pin\.createdAt: integer$/,
  ],
  'a field of an answer may be null': [
    ({ components }) => {
      components.schemas.Pin.properties.creatorId.type = ['string', 'null'];
    },
    /^gone: Pin\.creatorId: string$/,
  ],
  'a value of an answer is removed': [
    ({ components }) => components.schemas.Problem.properties.reason.enum.pop(),
    /^gone: Problem\.reason = "\w+"$/,
  ],
  'a type of event is removed': [
    ({ components }) => components.schemas.Event.oneOf.pop(),
    /^gone: Event \| : \w+Event$/,
  ],
  'a field of a request is removed': [
    (all) => delete sent(all).properties.replyToId,
    /^gone: messageSend body application\/json\.replyToId: string$/,
  ],
  'a value of a request is removed': [
    (all) => query(all, 'order').schema.enum.pop(),
    /^gone: channelMessages query order = "\w+"$/,
  ],
  'a parameter is removed': [
    (all) => {
      const { get } = all.paths['/api/v1/channels/{channelId}/messages'];
      get.parameters = get.parameters.filter((each: Json) => each.name !== 'q');
    },
    /^gone: channelMessages query q: string$/,
  ],
  'a default changes': [
    (all) => {
      query(all, 'limit').schema.default = 20;
    },
    /^gone: channelMessages query limit is 50 if left out$/,
  ],
  'a field becomes required': [
    (all) => demand(all, 'channelId'),
    /^demanded: messageSend body application\/json\.channelId required true$/,
  ],
  'a new field is required': [
    (all) => {
      sent(all).properties.mood = { type: 'string' };
      demand(all, 'mood');
    },
    /^demanded: messageSend body application\/json\.mood required true$/,
  ],
  'a limit is lowered': [
    (all) => {
      sent(all).properties.content.maxLength = 4000;
    },
    /^demanded: messageSend body application\/json\.content maxLength 4000$/,
  ],
  'a limit is new': [
    (all) => {
      query(all, 'after').schema.exclusiveMinimum = 5;
    },
    /^demanded: channelMessages query after exclusiveMinimum 5$/,
  ],
};

for (const [name, [change, told]] of Object.entries(breaking)) {
  test(`rejected: ${name}`, () => {
    const found = compare(changed(change));
    assert.equal(found.code, 1);
    assert.ok(
      found.told.some((line) => told.test(line)),
      found.told.join('\n'),
    );
  });
}

test('additions, loosened limits and changed descriptions break nothing', () => {
  const more = changed((all) => {
    all.paths['/api/v1/moods'] = {
      post: {
        operationId: 'moodInsert',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { required: ['mood'], properties: { mood: { type: 'string' } } } },
          },
        },
        responses: {},
      },
    };
    sent(all).properties.mood = { type: 'string', maxLength: 10 };
    sent(all).properties.content.maxLength = 9000;
    sent(all).properties.content.description = 'Other words';
    all.components.schemas.Pin.properties.mood = { type: 'string' };
    all.components.schemas.Problem.properties.reason.enum.push('too_new');
    delete all.components.schemas.Problem.properties.message;
    query(all, 'order').schema.enum.push('random');
  });
  assert.deepEqual(compare(more), { code: 0, told: [] });
});

test('a deprecated operation or field may be removed at its sunset, but not before', () => {
  for (const [sunset, code] of [
    ['2020-01-31', 0],
    ['2999-01-31', 1],
  ] as const) {
    const released = changed((all) => {
      const { post } = all.paths['/api/v1/pins'];
      post['x-deprecation'] = { since: '2019-01-01', sunset };
      sent(all).properties.replyToId['x-deprecation'] = { since: '2019-01-01', sunset };
    });
    assert.equal(compare(released, '--release').code, 0);
    const without = changed((all) => {
      delete all.paths['/api/v1/pins'].post;
      delete sent(all).properties.replyToId;
    });
    const found = compare(without);
    assert.equal(found.code, code, found.told.join('\n'));
  }
});
