import { Type } from '../../lib/schema.ts';
import { count, flag, id, nullable, record, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { shownFields } from '../user.ts';

const fields = {
  ...shownFields,
  creatorId: nullable(id('Of an agent: the user who made it')),
  suspendedAt: nullable(time('Null unless they are suspended: then none of their keys and sessions counts')),
  suspendedWithId: nullable(id('Of an agent: the user with whom it was suspended')),
};

/** A user in the lists of platform administration. */
export const platformUser = record('PlatformUser', fields);
export const toPlatformUser = recordOf(platformUser);

/** A user with their account. */
export const platformAccount = record('PlatformAccount', {
  ...fields,
  hasAccount: flag('They can sign in'),
  email: nullable(text({ max: 254, examples: ['ada@example.com'], description: 'Verified' })),
  hasSecondFactor: flag('A code is asked for when they sign in'),
  sessions: count('Browsers in which they are signed in'),
  lastUsedAt: nullable(time('The last use of any of their sessions')),
  servers: count('Servers of which they are the creator'),
});

/** The response to suspending a user or lifting the suspension. */
export const suspension = record('Suspension', {
  ...fields,
  agents: count('The agents that were changed with the user'),
  isAll: flag('False if there are more: repeat the request', true),
});

/** A one-time link for a user, shown only once. */
export const userLink = record('UserLink', {
  path: text({
    max: 200,
    description: 'The page of this server at which it is used. Give it to nobody but the user',
    examples: ['/welcome#link_plv_…'],
  }),
  expiresAt: time(),
});

/** A server in the lists of platform administration: figures that are cheap to read, and none of its contents. */
export const platformServer = record('PlatformServer', {
  name: text({ max: 100, examples: ['Harbour'] }),
  private: flag('It can be joined with an invite only'),
  creatorId: id(),
  memberCount: count(undefined, 12),
  fileBytes: Type.Integer({
    format: 'int64',
    minimum: 0,
    description: 'The bytes of all its files',
    examples: [1_048_576],
  }),
});

/** An entry of the audit log. */
export const auditEntry = record('AuditEntry', {
  command: text({ max: 100, examples: ['user suspend'] }),
  account: nullable(
    text({ max: 200, description: 'Of a command: the account of the operating system that ran it' }),
  ),
  actorId: nullable(id('Of an act: the person who was signed in')),
  about: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'Identifiers and numbers',
    examples: [{ id: '01890a5d-ac96-774b-bcce-b302099a8057' }],
  }),
});
