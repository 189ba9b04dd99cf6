import { actorKinds } from '../../db/tables/event.ts';
import { Type } from '../../lib/schema.ts';
import { count, flag, id, nullable, oneOf, record, size, text, time } from '../../operations/fields.ts';
import { recordOf } from '../common.ts';
import { shownFields } from '../user.ts';

const fields = {
  ...shownFields,
  suspendedAt: nullable(
    time(
      "When the user was suspended; null if not suspended. None of a suspended user's keys and sessions work",
    ),
  ),
  suspendedWithId: nullable(id('The user that the agent was suspended with; null for people')),
};

/** A user, as listed for platform admins. */
export const platformUser = record('PlatformUser', fields);
export const toPlatformUser = recordOf(platformUser);

/** A user with their account. */
export const platformAccount = record('PlatformAccount', {
  ...fields,
  hasAccount: flag('Whether the user can sign in'),
  email: nullable(
    text({ max: 254, examples: ['ada@example.com'], description: 'The verified email address' }),
  ),
  hasSecondFactor: flag('Whether signing in requires a code'),
  sessions: count('Number of active sessions'),
  grants: count('Number of apps that may act on their behalf in a server'),
  lastUsedAt: nullable(time('When any of their sessions was last used')),
  servers: count('Number of servers they own'),
});

/** The response to suspending a user or lifting the suspension. */
export const suspension = record('Suspension', {
  ...fields,
  agents: count('The agents changed along with the user'),
  isAll: flag('False if some agents have not been changed yet. Repeat the request until it is true', true),
});

const linkPath = text({
  max: 200,
  description: "The link, as a path below the server's address. Share it only with the user",
  examples: ['/welcome#link_plv_…'],
});

/** A one-time link for a user, shown only once. */
export const userLink = record('UserLink', { path: linkPath, expiresAt: time() });

/** One-time links for several users, shown only once. */
export const claimLinks = record('ClaimLinks', {
  links: Type.Array(
    Type.Object({
      userId: id(),
      username: shownFields.username,
      name: shownFields.name,
      path: linkPath,
      expiresAt: time(),
    }),
  ),
});

/** A server, as listed for platform admins: numbers that are cheap to query, and none of its contents. */
export const platformServer = record('PlatformServer', {
  name: text({ max: 100, examples: ['Harbour'] }),
  private: flag('Whether joining requires an invite'),
  creatorId: id(),
  memberCount: count(undefined, 12),
  fileBytes: size('Total size of its files'),
});

/** A channel, as listed for choosing the scope of a legal hold. */
export const platformChannel = record('PlatformChannel', {
  name: text({ max: 100, examples: ['general'] }),
  private: flag('Whether only some roles can see the channel'),
});
export const toPlatformChannel = recordOf(platformChannel);

/** An entry of the audit log. */
export const auditEntry = record('AuditEntry', {
  command: text({ max: 100, examples: ['user suspend'] }),
  account: nullable(text({ max: 200, description: 'The operating system account that ran a command' })),
  actor: oneOf(
    [...actorKinds, 'unknown'],
    'A signed-in person, an API key, an operator command, Palaver itself, or somebody who failed to sign in',
  ),
  actorId: nullable(id('The user, for a person or an API key')),
  about: Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description: 'The details of the action: ids, numbers, and words such as the value of a setting',
    examples: [{ id: '01890a5d-ac96-774b-bcce-b302099a8057' }],
  }),
});
