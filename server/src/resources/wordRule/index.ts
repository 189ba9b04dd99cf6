import { insert, q, remove, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { eventsOf } from '../../feed/eventKind.ts';
import { MAX_PATTERN, parsePattern } from '../../lib/text/wordRules.ts';
import type { WriteCall } from '../../operations/call.ts';
import { body, id, oneOf, optional, record, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { alters, load, recordOf, sent, serverTarget, touched } from '../common.ts';
import { listById } from '../lists.ts';

const fields = {
  pattern: text({
    min: 1,
    max: MAX_PATTERN,
    description:
      'Words, compared as in a search: in every writing system, ignoring case, accents and punctuation. `*` matches any letters within a word',
    examples: ['cheap watch*'],
  }),
  action: oneOf(
    ['hold', 'refuse'],
    '`hold` holds a message until a moderator approves it; `refuse` rejects it',
  ),
};

const wordRule = record('WordRule', { serverId: id(), ...fields, creatorId: id() });
const toWordRule = recordOf(wordRule);

export const wordRuleEvents = eventsOf(
  'wordRule',
  { data: wordRule, audience: 'bans' },
  {
    created: 'A word rule was created',
    updated: 'A word rule was changed',
    deleted: 'A word rule was deleted',
  },
);

/**
 * Throws INVALID_REQUEST for a pattern without a letter or digit, or with a `*` that is not part of a word.
 */
function requirePattern({ pattern }: { pattern?: string }): void {
  if (pattern !== undefined && !parsePattern(pattern))
    throw invalid('wrong_form', 'pattern', 'must contain a letter or digit, and no * on its own');
}

/**
 * Generates the version of a rule: 32 random bits. The versions of a server's rules are added up, and the sum
 * fits into 64 bits.
 */
const newVersion = ({ randomBytes }: Pick<WriteCall, 'randomBytes'>): number =>
  Buffer.from(randomBytes(4)).readUInt32BE();

export const wordRuleOperations = [
  read({
    operation: 'wordRulesByServer',
    path: '/servers/:serverId/word-rules',
    tag: 'wordRule',
    summary: "List a server's word rules",
    description: 'Returns the oldest rules first.',
    visible: 'bans',
    answer: wordRule,
    list: 'many',
    target: serverTarget,
    async run({ db }, input) {
      const rows = q.selectFrom('wordRule').selectAll().where('serverId', '=', input.params.serverId);
      return listById(db, rows, input, toWordRule);
    },
  }),

  write({
    operation: 'wordRuleInsert',
    path: '/servers/:serverId/word-rules',
    resource: 'wordRule',
    verb: 'insert',
    summary: 'Create a word rule',
    description:
      'The rule applies to new messages, edits and thread names by everyone except moderators. It does not apply to direct messages.',
    body: body(fields),
    answer: wordRule,
    check: ({ body }) => requirePattern(body),
    target: serverTarget,
    async run(call, { body }, { serverId }) {
      const { db, emit, newRow, principal } = call;
      const { pattern, action } = body;
      const version = newVersion(call);
      const row = { ...newRow(), serverId, creatorId: principal.userId, pattern, action, version };
      await db.run(insert('wordRule', row));
      await emit(wordRuleEvents.created, toWordRule(row));
      return toWordRule(row);
    },
  }),

  write({
    operation: 'wordRuleUpdate',
    path: '/word-rules/:id',
    resource: 'wordRule',
    verb: 'update',
    summary: 'Change a word rule',
    body: body({
      id: optional(reference()),
      pattern: optional(fields.pattern),
      action: optional(fields.action),
    }),
    answer: wordRule,
    check: ({ body }) => requirePattern(body),
    async target({ db }, { params }) {
      const found = await load(db, 'wordRule', params.id);
      return { serverId: found.serverId, found };
    },
    async run(call, { body }, { found }) {
      const { db, emit, now } = call;
      const fields = sent(body, 'pattern', 'action');
      if (!alters(found, fields)) return toWordRule(found);
      const set = { ...fields, version: newVersion(call), updatedAt: touched(found, now) };
      await db.run(update('wordRule', found.id, set));
      await emit(wordRuleEvents.updated, toWordRule({ ...found, ...set }));
      return toWordRule({ ...found, ...set });
    },
  }),

  write({
    operation: 'wordRuleDelete',
    path: '/word-rules/:id',
    resource: 'wordRule',
    verb: 'delete',
    summary: 'Delete a word rule',
    description: 'Messages that the rule already holds stay in the review queue.',
    answer: wordRule,
    async target({ db }, { params }) {
      const found = await load(db, 'wordRule', params.id);
      return { serverId: found.serverId, found };
    },
    async run({ db, emit }, _input, { found }) {
      await db.run(remove('wordRule', { id: found.id }));
      await emit(wordRuleEvents.deleted, toWordRule(found));
      return toWordRule(found);
    },
  }),
];
