import { notFound } from '../errors.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { sampleId } from '../operations/examples.ts';
import { flag, id, oneOf, orNull, record } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { load } from './common.ts';
import { role, toRole } from './role.ts';
import { secret, toSecret } from './secret/record.ts';
import { secretsWithUse } from './secret/revoke.ts';
import { server, toServer } from './server/record.ts';
import { fields, toUser } from './user.ts';

const me = record('Me', {
  ...fields,
  key: orNull(secret, 'Null with a session'),
  server: orNull(server, 'Null with a session in no server'),
  role: orNull(role, 'The role of the key; null with a session'),
  roleIds: Type.Array(id(), {
    description: 'The role of the key; with a session, all your roles in the server',
    examples: [[sampleId('role')]],
  }),
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags of these roles, and those that they imply',
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag('The user made the server, and so sees all of its channels'),
});

/** The one who asks. A noun of its own, since it shows the records of others that know users. */
export const meOperations = [
  read({
    operation: 'userMe',
    path: '/users/me',
    tag: 'user',
    summary: 'Yourself',
    description:
      "The profile of the key's user, the key without its value, its server, role and flags; or the same of a person who is signed in.",
    visible: 'self',
    answer: me,
    target: ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run({ db, principal, key: shown }) {
      const { flags, isServerCreator, roleIds, serverId, userId } = principal;
      const [user, server, role, key] = await Promise.all([
        load(db, 'user', userId),
        serverId === null ? undefined : load(db, 'server', serverId),
        shown === undefined ? undefined : load(db, 'role', roleIds[0] as string),
        shown === undefined ? undefined : db.first(secretsWithUse.where('secret.id', '=', shown.id)),
      ]);
      if (shown && !key) throw notFound('key');
      return {
        ...toUser(user),
        key: key ? toSecret(key) : null,
        server: server ? toServer(server) : null,
        role: role ? toRole(role) : null,
        roleIds: [...roleIds],
        flags: flagNames.filter((name) => flags.has(name)),
        isServerCreator,
      };
    },
  }),
];
