import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven } from '../../operations/call.ts';
import { body, optional, reference, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { load, ownTarget } from '../common.ts';
import { listById } from '../lists.ts';
import { deleteServer } from '../server/delete.ts';
import { server } from '../server/serverRecord.ts';
import { typedName } from '../serverOwner/end.ts';
import { platformChannel, platformServer, toPlatformChannel } from './platformRecords.ts';
import { sortedPage } from './sorted.ts';

const rows = q
  .selectFrom('server')
  .select(['id', 'createdAt', 'updatedAt', 'name', 'private', 'creatorId', 'memberCount'])
  .select((eb) =>
    eb.selectFrom('fileUse').select('bytes').whereRef('fileUse.serverId', '=', 'server.id').as('fileBytes'),
  )
  .where('deletedAt', 'is', null);

export const platformServerOperations = [
  read({
    operation: 'platformServers',
    people: true,
    path: '/platform/servers',
    tag: 'platform',
    summary: "List the platform's servers",
    description:
      'Returns servers with their sizes, newest first, or sorted by name if `name` is given. Platform admins can see the contents only of servers they have joined, apart from deleted messages that legal holds keep.',
    visible: 'platform',
    query: Type.Object({
      name: optional(
        text({
          max: 100,
          description: 'The beginning of the name. Case and accents are ignored',
          examples: ['Har'],
        }),
      ),
      creatorId: optional(reference('Only servers owned by this user')),
    }),
    answer: platformServer,
    list: 'many',
    async target({ db, principal }, { query: { creatorId } }) {
      if (creatorId !== undefined && principal.platformAdmin) await load(db as Reader, 'user', creatorId);
      return { serverId: null, ownerId: principal.userId };
    },
    run({ db }, input) {
      const { name, creatorId } = input.query;
      const by = name === undefined ? undefined : ({ by: 'name', beginning: name } as const);
      const chosen = creatorId === undefined ? rows : rows.where('creatorId', '=', creatorId);
      return sortedPage(db, chosen, by, input, (row) => ({
        ...row,
        fileBytes: row.fileBytes ?? 0,
      }));
    },
  }),

  read({
    operation: 'platformChannels',
    people: true,
    path: '/platform/servers/:id/channels',
    tag: 'platform',
    summary: "List a server's channels",
    description:
      'Returns the name of each channel and whether it is private, oldest first, for choosing the scope of a legal hold. Direct messages are not listed.',
    visible: 'platform',
    answer: platformChannel,
    list: 'many',
    target: ownTarget,
    async run({ db }, input) {
      const { id: serverId } = await load(db, 'server', input.params.id);
      const channels = q
        .selectFrom('channel')
        .select(['id', 'createdAt', 'updatedAt', 'name', 'private'])
        .where('serverId', '=', serverId)
        .where('kind', '=', 'channel');
      return listById(db, channels, input, toPlatformChannel);
    },
  }),

  write({
    operation: 'platformServerDelete',
    people: true,
    method: 'POST',
    path: '/platform/servers/:id/delete',
    resource: 'platform',
    verb: 'delete',
    summary: 'Delete any server',
    description:
      "Permanently deletes the server, as its owner could. Requires a confirmed identity and the server's name.",
    body: body({ id: optional(reference()), name: typedName }),
    answer: server,
    async target({ db }, { params }) {
      return { serverId: null, found: await load(db, 'server', params.id) };
    },
    run(call, { body }, { found }) {
      requireProven(call);
      return deleteServer(call, found, body.name, 'server delete');
    },
  }),
];
