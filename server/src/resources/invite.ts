import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { act } from '../operations/act.ts';
import {
  body,
  count,
  flag,
  id,
  nullable,
  optional,
  record,
  reference,
  text,
  time,
} from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import type { Work } from '../operations/work.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, load, recordOf, serverIdOf, serverTarget, touched } from './common.ts';
import { inviter, preview, toInviter, toPreview } from './invitePreview.ts';
import { listById } from './lists.ts';

const maxUses = nullable(
  Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Maximum number of uses; null for no limit' }),
);
const CODE_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The number of characters in a code. They encode 59 bits, too many to guess within the rate limits. */
const CODE_LENGTH = 10;

const fields = {
  serverId: id(),
  creatorId: id(),
  maxUses,
  uses: count(),
  expiresAt: nullable(time('When the invite expires; null for never')),
  code: nullable(
    text({
      max: CODE_LENGTH,
      description: 'Used in links instead of the id; null for older invites',
      examples: ['q7Rk2pXw9B'],
    }),
  ),
};

/** Generates a code for the link of an invite. */
function newCode({ randomBytes }: Pick<Work, 'randomBytes'>): string {
  let code = '';
  while (code.length < CODE_LENGTH)
    // Larger values would make some characters more likely.
    for (const byte of randomBytes(CODE_LENGTH))
      if (byte < 4 * CODE_CHARACTERS.length) code += CODE_CHARACTERS[byte % CODE_CHARACTERS.length];
  return code.slice(0, CODE_LENGTH);
}

/** Finds an invite by its id or code. Throws NOT_FOUND. */
export async function loadInvite(db: Reader, idOrCode: string): Promise<RowOf<'invite'>> {
  const isCode = /^[A-Za-z0-9]+$/.test(idOrCode) && idOrCode.length === CODE_LENGTH;
  const found = isCode ? await db.first(find('invite', { code: idOrCode })) : undefined;
  return found ?? load(db, 'invite', idOrCode);
}

const invite = record('Invite', fields);
const toInvite = recordOf(invite);

export const inviteEvents = eventsOf(
  'invite',
  { data: invite, audience: 'member' },
  { created: 'An invite was created', updated: 'An invite was used', deleted: 'An invite was deleted' },
);

const shownInvite = record('ShownInvite', { ...fields, server: preview });

/** An invite as shown to people without an account. */
const lookedInvite = record('LookedInvite', {
  code: fields.code,
  isLive: flag('Whether it is still valid: not expired, with uses left', true),
  maySignUp: flag('Whether it can be used to sign up: it is valid, and the setting `signUp` allows it', true),
  expiresAt: fields.expiresAt,
  server: preview,
  inviter: nullable(inviter),
});

export const inviteOperations = [
  read({
    operation: 'invitesByServer',
    path: '/servers/:serverId/invites',
    tag: 'invite',
    summary: "List a server's invites",
    description: 'Returns the newest invites first.',
    visible: 'member',
    answer: invite,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = q.selectFrom('invite').selectAll().where('serverId', '=', input.params.serverId);
      return listById(db, rows, input, toInvite, 'desc');
    },
  }),

  read({
    operation: 'inviteById',
    path: '/invites/:inviteId',
    tag: 'invite',
    summary: 'Get an invite',
    description: 'Includes the server, even for users who have not joined it yet.',
    visible: 'abroad',
    answer: shownInvite,
    target: ({ db }, { params }) => loadInvite(db, params.inviteId),
    async run({ db }, _input, target) {
      const found = await target;
      return { ...toInvite(found), server: toPreview(await load(db, 'server', found.serverId)) };
    },
  }),

  act({
    operation: 'inviteLook',
    people: true,
    open: true,
    path: '/invites/look',
    resource: 'invite',
    verb: 'insert',
    summary: 'Look up an invite without an account',
    description:
      'Returns the server, even a private one, like `GET /api/v1/invites/:inviteId`, and the inviter. Does not use up the invite.',
    body: body({ inviteId: reference('The id or code of the invite') }),
    answer: lookedInvite,
    async run({ db, now, services: { settings } }, { body }) {
      const found = await loadInvite(db, body.inviteId);
      const { serverId, creatorId: userId } = found;
      const [server, user, member, { signUp }] = await Promise.all([
        load(db, 'server', serverId),
        load(db, 'user', userId),
        db.first(find('serverMember', { serverId, userId })),
        settings.current(),
      ]);
      const live = isLive(found, now);
      const shown = {
        isLive: live,
        maySignUp: live && signUp !== 'closed',
        server: toPreview(server),
        inviter: member ? toInviter(user) : null,
      };
      return { data: { ...toInvite(found), ...shown } };
    },
  }),

  write({
    operation: 'inviteInsert',
    path: '/invites',
    resource: 'invite',
    verb: 'insert',
    summary: 'Create an invite',
    body: body({
      serverId: optional(reference()),
      maxUses: optional(maxUses),
      expiresAt: optional(nullable(time('When the invite expires; null for never'))),
    }),
    examples: {
      'For ten people': { maxUses: 10 },
      'With an expiry': { expiresAt: 4_102_444_800_000 },
    },
    answer: invite,
    check({ body }, { now }) {
      if (body.expiresAt != null && body.expiresAt <= now)
        throw invalid('out_of_range', 'expiresAt', 'must be in the future');
    },
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    async run(call, { body }, { serverId }) {
      const { db, emit, newRow, principal } = call;
      const { maxUses = null, expiresAt = null } = body;
      const limits = { maxUses, uses: 0, expiresAt };
      const row = { ...newRow(), serverId, creatorId: principal.userId, ...limits, code: newCode(call) };
      await db.run(insert('invite', row));
      await emit(inviteEvents.created, toInvite(row));
      return toInvite(row);
    },
  }),

  write({
    operation: 'inviteDelete',
    path: '/invites/:id',
    resource: 'invite',
    verb: 'delete',
    summary: 'Delete an invite',
    answer: invite,
    target: ({ db }, { params }) => inviteTarget(db, params.id),
    async run({ db, emit }, _input, { invite: found }) {
      await db.run(remove('invite', { id: found.id }));
      await emit(inviteEvents.deleted, toInvite(found));
      return toInvite(found);
    },
  }),
];

async function inviteTarget(db: Reader, inviteId: string) {
  const found = await load(db, 'invite', inviteId);
  return { serverId: found.serverId, ownerId: found.creatorId, invite: found };
}

/** Whether the invite has not expired and has uses left. */
export const isLive = ({ expiresAt, maxUses, uses }: RowOf<'invite'>, now: number): boolean =>
  (expiresAt === null || expiresAt > now) && (maxUses === null || uses < maxUses);

/** Counts another use of an invite. */
export async function useInvite({ db, emit, now }: Work, found: RowOf<'invite'>): Promise<void> {
  const set = { uses: found.uses + 1, updatedAt: touched(found, now) };
  await db.run(update('invite', found.id, set));
  await emit(inviteEvents.updated, toInvite({ ...found, ...set }));
}
