// @run sqlite: reads documents
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { namedCommands } from '../../server/src/cli/command.ts';
import { commands } from '../../server/src/cli/commands/index.ts';
import { settings } from '../../server/src/config.ts';
import { operations } from '../../server/src/resources/index.ts';

const root = join(import.meta.dirname, '../..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

/** For each feature, a pattern that matches its path, field or command. The page lists it until there is a match. */
const signs: Readonly<Record<string, RegExp>> = {
  'Direct messages': /conversations/,
  'Push notifications': /push-subscriptions/,
  'Email digests': /digest/,
  'mentions of roles': /mentionable/,
  'Channel categories': /categories/,
  'Custom emoji': /\/emoji/,
  'Saved messages': /\/saved/,
  'Scheduled messages': /scheduled-messages/,
  'Favourite channels': /reading\/channel/,
  Polls: /\/polls/,
  'Read receipts': /receipts/,
  'Profile fields': /pronouns/,
  'Private notes about a person': /(user|person|member)-notes|\/notes/,
  'screen sharing': /\/(calls|rooms|screens)/,
  'Slash commands': /\/commands/,
  'APIs of Slack and Discord': /chat\.postMessage|\/gateway/,
  'Import from': /import <path>/,
  'Export of a whole server': /export <dir>/,
  'Retention of messages': /retention/,
  'word filters': /word-rules/,
  'SAML or LDAP, and provisioning with SCIM': /saml|ldap|scim/i,
};

test('the page about missing features lists only features without an endpoint or command', () => {
  const page = read('docs', 'guides', 'not-included.md');
  const existing = JSON.stringify([
    operations.map(({ path, body }) => [path, body]),
    namedCommands(commands).map(([, { usage }]) => usage),
  ]);
  for (const [name, sign] of Object.entries(signs))
    assert.equal(page.includes(name), !sign.test(existing), `${name}: ${sign}`);
});

test("the page names the interface's languages", () => {
  const names = { en: 'English', de: 'German' };
  const folders = readdirSync(join(root, 'web', 'strings'), { withFileTypes: true });
  const languages = folders.filter((each) => each.isDirectory()).map(({ name }) => name);
  assert.deepEqual(languages.toSorted(), Object.keys(names).toSorted());
  assert.match(read('docs', 'guides', 'not-included.md'), /Languages other than English and German/);
});

test('the page for organizations names existing settings with valid values', () => {
  const page = read('docs', 'operate', 'organization.md');
  const rows = [...page.matchAll(/^\| `(PALAVER_\w+)` \| (.*?) \|/gm)];
  assert.ok(rows.length > 8);
  for (const [, name = '', value = ''] of rows) {
    const setting = Object.values(settings).find(({ env }) => env === name);
    assert.ok(setting, name);
    for (const [, given] of value.matchAll(/`([^`]+)`/g)) setting.parse(given);
  }
});

test('each decision has its own number', () => {
  const page = read('docs', 'decisions', 'README.md');
  const numbers = [...page.matchAll(/^- \*\*\[?(\d{4}) /gm)].map(([, number]) => number);
  assert.ok(numbers.length > 60);
  assert.deepEqual(
    numbers.filter((number, at) => numbers.indexOf(number) !== at),
    [],
  );
});
