import { invalid, notFound } from '../errors.ts';
import { flagNames } from '../lib/flags.ts';
import { Type } from '../lib/schema.ts';
import { keyOf } from '../operations/call.ts';
import { flag, oneOf, record } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { load, ownTarget } from './common.ts';
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
    description: "The key's flags: those of its role, including implied ones",
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag('Whether the user owns the server, and so can see all its channels'),
});

/** The caller. A separate noun, because it shows records of nouns that depend on users. */
export const meOperations = [
  read({
    operation: 'userMe',
    path: '/users/me',
    tag: 'user',
    summary: "Get the key's user",
    description: "The user's profile, and the key (without its value) with its server, role and flags.",
    visible: 'self',
    answer: me,
    target: ownTarget,
    async run(call) {
      const { db, principal } = call;
      const shown = keyOf(call);
      if (!shown)
        throw invalid('wrong_kind', '', 'this endpoint describes an API key. Use GET /api/people/me instead');
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
