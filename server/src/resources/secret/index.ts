import { conditions, requireCondition } from '../../access/conditions.ts';
import { requireHoldsFlagsOf, requireSeesAsMuch, requireWithinReach } from '../../access/grants.ts';
import type { Principal } from '../../access/principal.ts';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven, type WriteCall } from '../../operations/call.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, name, nullable, oneOf, optional, reference, text, time } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { aheadInServer, load, serverIdOf, serverTarget } from '../common.ts';
import { listById } from '../lists.ts';
import { defaultRole } from '../role.ts';
import { isMember } from '../serverMember/join.ts';
import { addAgent, mintKey, noEarlier } from './mint.ts';
import { revokeSecrets, secretsWithUse } from './revoke.ts';
import { MAX_OVERLAP_SECONDS, OVERLAP_SECONDS, rotateKey } from './rotate.ts';
import { newSecret, secret, secretEvents, secretHosts, toSecret } from './secretRecord.ts';
import { secretUsage } from './usage.ts';

const newFields = body({
  kind: oneOf(['apiKey', 'appSecret']),
  name: name(undefined, 'Deploy bot'),
  serverId: optional(reference()),
  roleId: optional(reference("The role of an apiKey; the server's default role by default")),
  userId: optional(
    reference(
      'The user that an apiKey acts as: yourself or an agent. By default, a new agent is created with the name of the key',
    ),
  ),
  expiresAt: optional(
    nullable(time('When an apiKey expires; never by default, unless the setting `maxKeyDays` limits it')),
  ),
  appId: optional(reference('The app of an appSecret; required without `hosts`')),
  hosts: optional(secretHosts),
  value: optional(
    text({
      min: 1,
      max: 8000,
      description: 'The value of an appSecret. It is stored encrypted and never shown again',
    }),
  ),
});

/** The fields that only one kind of secret has. */
const fieldsOf = {
  apiKey: ['roleId', 'userId', 'expiresAt'],
  appSecret: ['appId', 'hosts', 'value'],
} as const;

export const secretOperations = [
  read({
    operation: 'secretsByServer',
    path: '/servers/:serverId/secrets',
    tag: 'secret',
    summary: "List a server's API keys and app secrets",
    description: 'Returns the newest keys and secrets first, without their values.',
    visible: 'secrets',
    answer: secret,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = secretsWithUse.clearOrderBy().where('secret.serverId', '=', input.params.serverId);
      return listById(db, rows, input, toSecret, 'desc', 'secret.id');
    },
  }),

  secretUsage,

  write({
    operation: 'secretInsert',
    path: '/secrets',
    resource: 'secret',
    verb: 'insert',
    summary: 'Create an API key or an app secret',
    body: newFields,
    examples: {
      'An API key': { kind: 'apiKey', name: 'Deploy bot', roleId: sampleId('role') },
      'An app secret': {
        kind: 'appSecret',
        name: 'Weather service token',
        appId: sampleId('app'),
        value: 'the token from the weather service',
      },
    },
    answer: newSecret,
    confidential: true,
    makes: ({ body }) =>
      body.kind === 'apiKey' && body.userId === undefined ? ['secrets', 'agents'] : ['secrets'],
    check({ body }, { now }) {
      const stray = fieldsOf[body.kind === 'apiKey' ? 'appSecret' : 'apiKey'].find(
        (name) => body[name] != null,
      );
      if (stray) throw invalid('not_together', stray, `is not a field of an ${body.kind}`);
      if (body.kind === 'appSecret') {
        if (body.appId === undefined && body.hosts === undefined)
          throw invalid('missing', 'appId', 'is required');
        if (body.value === undefined) throw invalid('missing', 'value', 'is required');
      } else if (body.expiresAt != null && body.expiresAt <= now) {
        throw invalid('out_of_range', 'expiresAt', 'must be in the future');
      }
    },
    async target(call, { body }) {
      const { db, principal } = call;
      const serverId = await serverIdOf(call, body.serverId);
      if (body.kind === 'appSecret')
        return {
          serverId,
          app: body.appId === undefined ? undefined : await appFor(db, serverId, body.appId),
        };
      const role =
        body.roleId === undefined ? await defaultRole(db, serverId) : await load(db, 'role', body.roleId);
      if (role?.serverId !== serverId) throw invalid('mismatch', 'roleId', 'is a role of another server');
      const user =
        body.userId === undefined ? undefined : await userFor(db, principal, serverId, body.userId);
      return { serverId, role, user };
    },
    async run(call, { body }, { serverId, role, user, app }) {
      const { db, emit, newRow, principal, services } = call;
      const common = { serverId, name: body.name, creatorId: principal.userId };
      if (!role) {
        const value = body.value as string;
        const made = newRow();
        const row = {
          ...made,
          ...common,
          kind: 'appSecret' as const,
          roleId: null,
          userId: null,
          appId: app?.id ?? null,
          preview: value.length >= 16 ? `…${value.slice(-4)}`.toWellFormed() : '…',
          expiresAt: null,
          digest: null,
          ...noEarlier,
          hosts: body.hosts ?? null,
          sealed: services.seal.seal(value, { table: 'secret', column: 'sealed', id: made.id }),
        };
        await db.run(insert('secret', row));
        await emit(secretEvents.created, toSecret(row));
        return toSecret(row);
      }
      await requireMayGive(call, 'insert', role, user);
      if (role.canAdmin) requireProven(call);
      if (user) requireCondition(principal, conditions.atHome, { user, serverId });
      const userId = user?.id ?? (await addAgent(call, common));
      const { expiresAt = null } = body;
      return mintKey(call, {
        ...common,
        roleId: role.id,
        userId,
        expiresAt,
        maxAgeMs: call.services.maxKeyAgeMs,
      });
    },
  }),

  write({
    operation: 'secretRotate',
    method: 'POST',
    path: '/secrets/:id/rotate',
    resource: 'secret',
    verb: 'update',
    summary: 'Rotate an API key',
    description:
      'The previous value stays valid for the overlap, so you can deploy the new one without downtime. Revoking the key revokes both values.',
    body: body({
      id: optional(reference()),
      overlap: optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_OVERLAP_SECONDS,
          description: `Seconds for which the previous value stays valid, ${OVERLAP_SECONDS} by default; 0 revokes it immediately`,
          examples: [3600],
        }),
      ),
      expiresAt: optional(
        nullable(
          time(
            'When the new value expires, null for never; unchanged by default. The setting `maxKeyDays` limits it',
          ),
        ),
      ),
    }),
    answer: newSecret,
    confidential: true,
    check({ body }, { now }) {
      if (body.expiresAt != null && body.expiresAt <= now)
        throw invalid('out_of_range', 'expiresAt', 'must be in the future');
    },
    async target({ db }, { params }) {
      const found = await load(db, 'secret', params.id);
      if (found.kind !== 'apiKey')
        throw invalid('wrong_kind', 'id', 'is an app secret. Delete it and create a new one');
      return { serverId: found.serverId, found };
    },
    async run(call, { body }, { found }) {
      const [role, user] = await Promise.all([
        load(call.db, 'role', found.roleId as string),
        load(call.db, 'user', found.userId as string),
      ]);
      await requireMayGive(call, 'update', role, user);
      if (role.canAdmin) requireProven(call);
      if (user.id !== call.principal.userId)
        requireCondition(call.principal, conditions.atHome, { user, serverId: found.serverId });
      return rotateKey(call, found, { ...body, maxAgeMs: call.services.maxKeyAgeMs });
    },
  }),

  write({
    operation: 'secretDelete',
    path: '/secrets/:id',
    resource: 'secret',
    verb: 'delete',
    summary: 'Revoke an API key or delete an app secret',
    answer: secret,
    target: ({ db }, { params }) => load(db, 'secret', params.id),
    async run(call, _input, { id, serverId, roleId, userId }) {
      // App secrets have no role.
      if (roleId !== null)
        await requireWithinReach(call.db, call.principal, 'secret delete', { serverId, roleId, userId });
      const [revoked] = await revokeSecrets(call, { id });
      return revoked as ReturnType<typeof toSecret>;
    },
  }),
];

/**
 * Throws FORBIDDEN unless the principal may hold a key with this role and user, because they receive its
 * value. `user` is undefined for a new agent.
 */
async function requireMayGive(
  { db, principal }: WriteCall,
  verb: 'insert' | 'update',
  role: RowOf<'role'>,
  user: RowOf<'user'> | undefined,
): Promise<void> {
  requireHoldsFlagsOf(principal, `secret ${verb}`, role);
  await requireSeesAsMuch(db, principal, `secret ${verb}`, role);
  if (!user || user.id === principal.userId) return;
  const { creatorId } = await load(db, 'server', role.serverId);
  requireCondition(principal, conditions.actsAs, { user, serverCreatorId: creatorId });
}

/** Loads an app that the server owns or has installed. Throws NOT_FOUND or INVALID_REQUEST. */
async function appFor(db: Reader, serverId: string, appId: string): Promise<RowOf<'app'>> {
  const app = await load(db, 'app', appId);
  if (app.serverId !== serverId && !(await db.first(find('appInstall', { serverId, appId })))) {
    throw invalid('mismatch', 'appId', 'is neither an app of the server nor installed in it');
  }
  return app;
}

/**
 * Loads the user that a key will act as. Throws NOT_FOUND, or INVALID_REQUEST for a user who is not a
 * member of the caller's server.
 */
async function userFor(
  db: Reader,
  principal: Principal,
  serverId: string,
  userId: string,
): Promise<RowOf<'user'>> {
  const user = await load(db, 'user', userId);
  if (serverId === principal.serverId && !(await isMember(db, serverId, userId))) {
    throw invalid('mismatch', 'userId', 'is not a member of the server');
  }
  return user;
}
