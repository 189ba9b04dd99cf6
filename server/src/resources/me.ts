import { invalid, notFound } from '../errors.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { keyOf } from '../operations/call.ts';
import { flag, oneOf, record } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { load } from './common.ts';
import { role, toRole } from './role.ts';
import { secretsWithUse } from './secret/revoke.ts';
import { secret, toSecret } from './secret/secretRecord.ts';
import { server, toServer } from './server/serverRecord.ts';
import { shownFields, toUser } from './user.ts';

const me = record('Me', {
  ...shownFields,
  key: secret,
  server,
  role,
  flags: Type.Array(oneOf(flagNames), {
    description: 'The flags that the key has: those of its role, and those that they imply',
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag('The user made the server, and so sees all of its channels'),
});

/** The caller. A separate noun, because it shows records of nouns that depend on users. */
export const meOperations = [
  read({
    operation: 'userMe',
    path: '/users/me',
    tag: 'user',
    summary: 'Yourself',
    description: "The profile of the key's user, the key without its value, its server, role and flags.",
    visible: 'self',
    answer: me,
    target: ({ principal }) => ({ serverId: null, ownerId: principal.userId }),
    async run(call) {
      const { db, principal } = call;
      const shown = keyOf(call);
      if (!shown)
        throw invalid('wrong_kind', '', 'this is about an API key: GET /api/people/me is about you');
      const { flags, isServerCreator, roleIds, serverId, userId } = principal;
      const [user, server, role, key] = await Promise.all([
        load(db, 'user', userId),
        load(db, 'server', serverId ?? ''),
        load(db, 'role', roleIds[0] ?? ''),
        db.first(secretsWithUse.where('secret.id', '=', shown.id)),
      ]);
      if (!key) throw notFound('key');
      return {
        ...toUser(user),
        key: toSecret(key),
        server: toServer(server),
        role: toRole(role),
        flags: flagNames.filter((name) => flags.has(name)),
        isServerCreator,
      };
    },
  }),
];
