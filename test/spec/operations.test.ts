// @run sqlite: compares tables with the document
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bodies, nouns, operations, type Row, writes } from '../rows/index.ts';
import type { BodyFields } from '../support/fields.ts';
import { type Json, World } from '../support/world.ts';

// Compares the rows in test/rows with the server's OpenAPI document. Finds operations without a row, and rows
// that lack a field which other suites need.

/** An operation in the document, with all references resolved. */
interface Documented {
  name: string;
  /** `GET /api/v1/channels/{}`: parameter names are left out, so equal paths compare as equal. */
  at: string;
  tag: string;
  fields: string[];
  required: string[];
  parameters: Json[];
  statuses: string[];
}

let world: World;
let document: Json;
let documented: Documented[];
before(async () => {
  world = await World.open();
  document = (await world.request('GET', `${world.url}/openapi.json`)).body;
  // The remaining paths are for incoming webhooks, which `spec/document` covers, and for people.
  const paths = Object.entries<Json>(document.paths).filter(([path]) => path.startsWith('/api/v1/'));
  documented = paths.flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => describe(method, path, operation)),
  );
});
after(() => world.close());

const unnamed = (path: string): string => path.replace(/:\w+|\{\w+\}/, '{}');

const resolve = (value: Json): Json =>
  value?.$ref
    ? value.$ref
        .slice(2)
        .split('/')
        .reduce((at: Json, name: string) => at[name], document)
    : value;

function describe(method: string, path: string, operation: Json): Documented {
  const body = resolve(operation.requestBody?.content['application/json']?.schema) ?? {};
  return {
    name: operation.operationId,
    at: `${method.toUpperCase()} ${unnamed(path)}`,
    tag: operation.tags[0],
    fields: Object.keys(body.properties ?? {}),
    required: body.required ?? [],
    parameters: (operation.parameters ?? []).map(resolve).filter(({ in: place }: Json) => place === 'query'),
    statuses: Object.keys(operation.responses),
  };
}

const documentedOf = ({ name }: Row): Documented => {
  const found = documented.find((operation) => operation.name === name);
  assert.ok(found, `${name} is not documented`);
  return found;
};

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

test('/openapi.json has exactly the operations in test/rows', () => {
  assert.match(document.openapi, /^3\.1/);
  assert.equal(document.info.version, 'v2026.03.6600f9');
  const named = (known: readonly { name: string }[]) => new Set(known.map(({ name }) => name));
  const missing = [...named(documented).difference(named(operations))];
  // Events, uploads, downloads, direct messages and agents' answers have no rows, because other suites test them.
  const others = [
    'attachmentContent',
    'attachmentInsert',
    'channelImageUpload',
    'conversationInsert',
    'conversations',
    'emojiInsert',
    'events',
    'exportContent',
    'interactionAnswer',
    'pictureContent',
    'serverBannerUpload',
    'serverIconUpload',
    'userImageUpload',
  ];
  assert.deepEqual(missing.sort(), others, `without a row in test/rows: ${missing}`);
  for (const row of operations)
    assert.equal(documentedOf(row).at, `${row.method} /api/v1${unnamed(row.path)}`, row.name);
  assert.equal(documented.length, operations.length + others.length);
});

test('every documented noun has a file in test/rows, and vice versa', () => {
  const tags = documented.map(({ tag }) => tag).filter((tag) => tag !== 'event' && tag !== 'conversation');
  assert.deepEqual(sorted(tags), sorted(nouns.map(({ name }) => name)));
  assert.equal(new Set(nouns.map(({ name }) => name)).size, nouns.length);
  for (const { name, writes, limit, group } of nouns.filter(({ writes }) => writes.length > 0))
    assert.ok(
      limit !== undefined && group !== undefined,
      `${name} has ${writes.length} writes, but no limit or group`,
    );
});

for (const row of operations) {
  test(`${row.name}: its row matches the document`, () => {
    const { tag, fields, required, parameters, statuses } = documentedOf(row);
    assert.equal(row.noun.name, tag);
    for (const status of ['200', '400', '401', '403', '404', '429', '500']) {
      assert.ok(statuses.includes(status), `${row.name} can respond ${status}`);
    }
    if (row.method === 'GET') {
      const names = parameters.map(({ name }) => name);
      const own = names.filter((name) => name !== 'limit' && name !== 'cursor');
      assert.deepEqual(own.sort(), Object.keys(row.filters ?? {}).sort(), 'filters');
      assert.equal(names.includes('limit'), row.listings !== undefined || row.hasLimit === true, 'a list');
      return;
    }
    // The id from the path may also be in the body.
    const hasId = row.path.includes(':');
    const forms = bodies.filter((form) => form.row.name === row.name);
    const named = forms.flatMap((form) => Object.keys(form.fields));
    const own = fields.filter((name) => !(hasId && name === 'id') && `${row.name} ${name}` !== ONLY_DIRECT);
    assert.deepEqual(sorted(own), sorted(named), 'fields');
    const needed = fieldsNeededBy(forms.map((form) => form.fields)).filter(
      (name) => `${row.name} ${name}` !== OPTIONAL_BESIDE_FILES,
    );
    assert.deepEqual(sorted(required), sorted(needed), 'required fields');
    if (row.method === 'POST') {
      const isRefused = row.once === true || DECIDED_ONCE.includes(row.name);
      assert.equal(statuses.includes('409'), isRefused, 'ALREADY_EXISTS');
    }
    if (!row.noun.live) assert.ok(row.random?.length, 'random writes');
  });
}

/** A field that is required unless the message has files. */
const OPTIONAL_BESIDE_FILES = 'messageSend content';
/** The field that only direct messages have. */
const ONLY_DIRECT = 'channelUpdate image';

/** Rejected with ALREADY_EXISTS in an approval that is decided: see spec/interactions. */
const DECIDED_ONCE = ['interactionInsert'];

/** The fields that all variants of a body require. */
const fieldsNeededBy = (forms: readonly BodyFields[]): string[] =>
  Object.keys(forms[0] ?? {}).filter((name) => forms.every((fields) => fields[name]?.endsWith('!')));

test('besides rows with `once`, only decisions and renames to unique names can respond 409', () => {
  const others = [...DECIDED_ONCE, 'channelUpdate', 'commandUpdate'];
  const refusing = writes.filter((row) => documentedOf(row).statuses.includes('409'));
  assert.deepEqual(
    sorted(refusing.map(({ name }) => name)),
    sorted([...writes.filter(({ once }) => once).map(({ name }) => name), ...others]),
  );
});
