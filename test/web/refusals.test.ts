import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { build } from 'esbuild';
import type { Condition } from '../../server/src/access/condition.ts';
import { conditions } from '../../server/src/access/conditions.ts';
import { forbidden } from '../../server/src/access/predicates.ts';
import type { Principal } from '../../server/src/access/principal.ts';
import { errorCodes, type Reason, reasons } from '../../server/src/errors.ts';
import { conflicts } from '../../server/src/operations/conflicts.ts';
import type * as translating from '../../web/api/refusals/translate.ts';
// @ts-expect-error: plain JavaScript, without types
import { languagePlugin, languagesIn } from '../../web/buildLanguages.js';

const root = join(import.meta.dirname, '../..');
const web = join(root, 'web');

/** The strings in one language. Each language has its own type. */
type Refusals = Record<'words' | 'reasons' | 'codes', Record<string, unknown>>;

/** Reasons without their own text, and why. The text for INVALID_REQUEST covers them. */
const unmet: Partial<Record<Reason, string>> = {
  bad_encoding: 'browsers send UTF-8, and compress nothing',
  bad_json: 'the client generates its own JSON',
  wrong_media_type: 'the client names the type of what it sends',
  nothing_to_show: 'programs alone post to incoming webhooks',
  unreadable: 'browsers send valid HTTP',
  wrong_host: 'a page is not even opened there',
  bad_cursor: 'the client gives cursors back as it got them',
  other_history: 'the client starts again without a message',
  key_reused: 'the client makes a key for each send',
  wrong_offset: 'programs alone stream messages',
  ended: 'programs alone stream messages',
};

const flags = ['canAdmin', 'canEditApp'] as const;
/** For each condition, facts that make it return each of its possible messages. */
const facts: Record<keyof typeof conditions, object[]> = {
  registryFields: [{}],
  appThread: [{}],
  installable: [{}],
  lockedThread: [{ operation: 'message insert' }],
  ownAttachment: [{}],
  unlocking: [{}],
  holdsFlags: [{ flags, operation: 'role insert' }],
  seesAsMuch: [{ operation: 'secret insert' }],
  withinReach: [
    { flags, operation: 'secret delete' },
    { flags: [], seesMore: true, operation: 'secret delete' },
    { flags: [], seesMore: false, operation: 'secret delete' },
  ],
  actsAs: [{}],
  atHome: [{}],
  proven: [{}],
  wayIn: [{}],
  handedOver: [{}],
  deletable: [{}],
  createsServers: [{}],
  creatorStays: [{}],
  notOneself: [{}],
  ownsNoServer: [{}],
  lastPlatformAdmin: [{}],
  bannable: [{ userId: 'me' }, { userId: 'creator' }],
  consents: [{ hasAccount: true }, { hasAccount: false }],
  timesOut: [{ userId: 'other' }, { userId: 'other', isModerator: true, flags: true }],
  setsRetention: [{}],
  wordRules: [
    { isRefused: true, operation: 'message insert' },
    { isHeld: true, operation: 'message insert' },
  ],
  notBanned: [{}],
  lastingRole: [{ isDefault: true }, { isDefault: false }],
  acceptsMessages: [{}],
  administrable: [{}],
  blocks: [{}],
  acts: [{}],
  decides: [{}],
};
const person = { userId: 'me', isSignedIn: true, flags: new Set(), ownFlags: [] } as unknown as Principal;

/** Builds and imports the client's translation modules, as bundled for the given language. */
async function inLanguage(language: string): Promise<typeof translating & { refusals: Refusals }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './api/refusals/translate.ts'; export * from './strings/en/refusals.ts';`,
      resolveDir: web,
    },
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [languagePlugin(web, language)],
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`);
}

/** All messages for people from rules, conditions and unique indexes. */
const said = [
  ...Object.entries(conditions).flatMap(([name, condition]) =>
    facts[name as keyof typeof conditions].map((each) => {
      const { refusal } = condition as Condition<object>;
      return forbidden(person, '', [], refusal(person, each)).message;
    }),
  ),
  forbidden(person, '', flags).message,
  forbidden(person, '', []).message,
  ...Object.values(conflicts),
];

/** The server's source code. */
function sources(): string {
  const folder = join(root, 'server/src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

for (const language of languagesIn(web).filter((tag: string) => tag !== 'en'))
  describe(`the texts for refusals, in "${language}"`, () => {
    let translate: typeof translating.translate;
    let refusals: Refusals;
    before(async () => {
      ({ translate, refusals } = await inLanguage(language));
    });

    test('include each code and each reason', () => {
      for (const code of Object.keys(errorCodes)) assert.ok(refusals.codes[code], code);
      for (const reason of Object.keys(reasons) as Reason[])
        assert.notEqual(
          reason in refusals.reasons,
          reason in unmet,
          `${reason} has either a text or a reason for not having one`,
        );
      for (const reason of Object.keys(refusals.reasons)) assert.ok(reason in reasons, reason);
    });

    test('include each conflict and each rule', () => {
      for (const words of said) {
        const line = translate(words);
        assert.ok(line, words);
        assert.doesNotMatch(line, /\bcan[A-Z]/, words);
      }
    });

    test('include none that the server does not use', () => {
      const all = [...said, sources()].join('\n').replaceAll('this key cannot', 'you cannot');
      for (const words of Object.keys(refusals.words))
        for (const part of words.split('{}')) assert.ok(all.includes(part), words);
    });

    test('fill in numbers and names', () => {
      for (const [words, by, expected] of [
        ['must have at most 100 characters', { reason: 'too_long' }, /100/],
        ['the quota "channels" is used up: a server can have 2000 channels', { reason: 'quota' }, /2.000/],
        ['is larger than 26214400 bytes', { reason: 'too_large' }, /26/],
        ['must be at least 5', { reason: 'out_of_range' }, /5/],
        ['words of tomorrow', { reason: 'quota' }, /\w/],
        ['words of tomorrow', { code: 'FORBIDDEN' }, /\w/],
      ] as const)
        assert.match(translate(words, by) ?? '', expected);
      assert.equal(translate('words of tomorrow'), undefined);
    });
  });

test("English uses the server's words, except those for API clients", async () => {
  const { translate } = await inLanguage('en');
  assert.equal(translate('does not match your username', { reason: 'mismatch' }), undefined);
  assert.equal(
    translate('is larger than 25000000 bytes', { reason: 'too_large' }),
    'This is too large. The limit is 25 MB.',
  );
  assert.equal(
    translate('your roles lack canEditChannel or canModerate'),
    'You need a role with “Manage channels” or “Moderate”.',
  );
});
