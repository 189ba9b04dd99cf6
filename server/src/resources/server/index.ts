import { sql } from 'kysely';
import type { RowOf } from '../../db/schema.ts';
import { searching } from '../../db/search/names.ts';
import { insert, q, update } from '../../db/statements.ts';
import { foldedName } from '../../lib/foldedName.ts';
import { Type } from '../../lib/schema.ts';
import { body, optional, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import type { Work } from '../../operations/work.ts';
import { write } from '../../operations/write.ts';
import { alters, load, sent, touched } from '../common.ts';
import { listById } from '../lists.ts';
import { requireRetention, retentionChanged } from '../retention.ts';
import { addRole } from '../role.ts';
import { addMemberWith } from '../serverMember/join.ts';
import { fields, server, serverEvents, toServer } from './serverRecord.ts';

const changes = body({
  id: optional(reference('The id of the server. It must match the id in the path')),
  name: optional(fields.name),
  welcome: optional(fields.welcome),
  description: optional(fields.description),
  icon: optional(fields.icon),
  banner: optional(fields.banner),
  domain: optional(fields.domain),
  private: optional(fields.private),
  tint: optional(fields.tint),
  editHistory: optional(fields.editHistory),
  directAgents: optional(fields.directAgents),
  linkPreviews: optional(fields.linkPreviews),
  retentionDays: optional(fields.retentionDays),
});

export const serverOperations = [
  read({
    operation: 'userServers',
    path: '/servers',
    tag: 'server',
    summary: "List the authenticated user's servers",
    description:
      'Returns all servers that a signed-in person is a member of. With a key, returns only servers that the key can read: its own, and public ones that its user is a member of.',
    visible: 'anyone',
    answer: server,
    list: 'many',
    target: ({ principal }) => principal,
    async run({ db, principal }, input) {
      let rows = q
        .selectFrom('server')
        .innerJoin('serverMember', 'serverMember.serverId', 'server.id')
        .selectAll('server')
        .where('serverMember.userId', '=', principal.userId)
        .where('server.deletedAt', 'is', null);
      if (principal.isGranted) rows = rows.where('server.id', '=', principal.serverId);
      else if (!principal.isSignedIn)
        rows = rows.where((eb) =>
          eb.or([eb('server.id', '=', principal.serverId), eb('server.private', '=', false)]),
        );
      return listById(db, rows, input, toServer, 'asc', 'server.id');
    },
  }),

  read({
    operation: 'searchJoinableServers',
    path: '/servers/joinable',
    tag: 'server',
    summary: 'Search public servers that the user is not a member of',
    visible: 'abroad',
    query: Type.Object({
      q: optional(
        text({ max: 200, description: 'Search terms for the name or description', examples: ['boats'] }),
      ),
    }),
    answer: server,
    list: 'many',
    target: () => ({ serverId: null }),
    async run({ db, principal }, input) {
      let rows = q
        .selectFrom('server')
        .selectAll('server')
        .where('server.private', '=', false)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('serverMember')
                .select(sql`1`.as('one'))
                .whereRef('serverMember.serverId', '=', 'server.id')
                .where('serverMember.userId', '=', principal.userId),
            ),
          ),
        );
      if (input.query.q) rows = await searching(db, rows, 'server', '', input.query.q);
      return listById(db, rows, input, toServer, 'asc', 'server.id');
    },
  }),

  read({
    operation: 'serverById',
    path: '/servers/:serverId',
    tag: 'server',
    summary: 'Get a server',
    visible: 'public',
    answer: server,
    async target({ db }, { params }) {
      const found = await load(db, 'server', params.serverId);
      return { ...found, serverId: found.id, open: !found.private };
    },
    run: async (_call, _input, found) => toServer(await found),
  }),

  write({
    operation: 'serverUpdate',
    path: '/servers/:id',
    resource: 'server',
    verb: 'update',
    summary: 'Update a server',
    body: changes,
    examples: { Example: { name: 'Harbour', description: 'Everything about boats', tint: 0x3366ff } },
    answer: server,
    async target({ db }, { params }) {
      const found = await load(db, 'server', params.id);
      return { ...found, serverId: found.id };
    },
    async run({ db, emit, now, principal }, { body }, found) {
      const fields = sent(
        body,
        'name',
        'welcome',
        'description',
        'icon',
        'banner',
        'domain',
        'private',
        'tint',
        'editHistory',
        'directAgents',
        'linkPreviews',
        'retentionDays',
      );
      requireRetention(principal, found, fields);
      if (!alters(found, fields)) return toServer(found);
      const set = {
        ...fields,
        ...(body.name !== undefined && { nameFolded: foldedName(body.name) }),
        updatedAt: touched(found, now),
      };
      await db.run(update('server', found.id, set));
      if (body.retentionDays !== undefined && body.retentionDays !== found.retentionDays)
        await retentionChanged(db, found.id);
      const changed = toServer({ ...found, ...set });
      await emit(serverEvents.updated, changed);
      return changed;
    },
  }),
];

/** Returns the row of a new server, without its id and times. */
export const newServer = (name: string, creator: Pick<RowOf<'user'>, 'id'>) => ({
  name,
  nameFolded: foldedName(name),
  creatorId: creator.id,
  welcome: null,
  description: null,
  icon: null,
  banner: null,
  domain: null,
  private: false,
  tint: null,
  editHistory: 'moderators' as const,
  directAgents: true,
  linkPreviews: false,
  retentionDays: null,
  memberCount: 1,
});

/**
 * Creates a server with its default role and its creator's admin role. The creator becomes the first member.
 * `id` is the id of the server, and defaults to a new one.
 */
export async function addServer(
  work: Work,
  { name, creator, id }: { name: string; creator: RowOf<'user'>; id?: string },
) {
  const { db, emit, newRow } = work;
  const row = { ...newRow(), ...(id !== undefined && { id }), ...newServer(name, creator) };
  await db.run(insert('server', row));
  const serverId = row.id;
  await emit(serverEvents.created, toServer(row));
  const roles = [
    await addRole(work, { serverId, name: 'Member', flags: ['canEditData', 'canViewData'], isDefault: true }),
    await addRole(work, { serverId, name: 'Admin', flags: ['canAdmin'], isCreatorRole: true }),
  ];
  const roleIds = roles.map(({ id }) => id);
  await addMemberWith(work, { serverId, user: creator }, { roleIds, isCounted: true });
  return toServer(row);
}
