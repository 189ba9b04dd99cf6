import { grant, toGrant } from '../accounts/grant.ts';
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

const whole = record('Me', {
  ...shownFields,
  key: secret,
  grant,
  server,
  role,
  flags: Type.Array(oneOf(flagNames), {
    description:
      "The flags of the key's role, or those of the grant that its person still has, including implied ones",
    examples: [['canEditData', 'canModerate']],
  }),
  isServerCreator: flag('Whether the user owns the server, and so can see all its channels'),
});

/** The fields that only keys, or only grants, have. */
const partial: readonly string[] = ['key', 'role', 'grant'];
// `optional` is not used here, because it would copy these schemas. The OpenAPI document refers to them by
// name.
const me = Object.assign(whole, { required: whole.required.filter((name) => !partial.includes(name)) });

/** The caller. This is a separate noun, because it contains records of nouns that depend on users. */
export const meOperations = [
  read({
    operation: 'userMe',
    path: '/users/me',
    tag: 'user',
    summary: "Get the key's user",
    description:
      "Returns the user's profile and the key (without its value) with its server, role and flags. For an app that uses a grant, returns the person's profile and the `grant` with its server and flags, without `key` and `role`.",
    visible: 'self',
    answer: me,
    target: ownTarget,
    async run(call) {
      const { db, principal, caller } = call;
      const grantId = caller?.credential.kind === 'grant' ? caller.credential.id : undefined;
      const shown = keyOf(call);
      if (!shown && grantId === undefined)
        throw invalid('wrong_kind', '', 'this endpoint describes an API key. Use GET /api/people/me instead');
      const { flags, isServerCreator, roleIds, serverId, userId } = principal;
      const [user, server] = await Promise.all([
        load(db, 'user', userId),
        load(db, 'server', serverId ?? ''),
      ]);
      const shared = {
        ...toUser(user),
        server: toServer(server),
        flags: flagNames.filter((name) => flags.has(name)),
        isServerCreator,
      };
      if (grantId !== undefined) return { ...shared, grant: toGrant(await load(db, 'grant', grantId)) };
      const [role, key] = await Promise.all([
        load(db, 'role', roleIds[0] ?? ''),
        db.first(secretsWithUse.where('secret.id', '=', shown?.id ?? '')),
      ]);
      if (!key) throw notFound('key');
      return { ...shared, key: toSecret(key), role: toRole(role) };
    },
  }),
];
