import { insert, prepare, q, remove, update } from '../db/statements.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { Type } from '../lib/schema.ts';
import { body, count, id, name, optional, record, reference } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { aheadInServer, alters, load, recordOf, sent, serverIdOf, serverTarget, touched } from './common.ts';
import { listByPosition, positionAfter } from './lists.ts';
import { sharedPart } from './snapshotPart.ts';

const fields = {
  name: name(undefined, 'Projects'),
  position: count('Sort position in lists of channels'),
};

const category = record('Category', { serverId: id(), ...fields, creatorId: id() });
const toCategory = recordOf(category);

export const categoryEvents = eventsOf(
  'category',
  { data: category, audience: 'member' },
  {
    created: 'A category was created',
    updated: 'A category was updated',
    deleted: 'A category was deleted. Its channels no longer have a category',
  },
);

/** The categories in a snapshot. */
export const categoriesPart = sharedPart({
  schema: Type.Array(category, { description: 'The categories of channels, by position' }),
  read: ({ categories }) => categories.map(toCategory),
});

const lastPosition = prepare((p: { serverId: string }) =>
  q
    .selectFrom('category')
    .select((eb) => eb.fn.max('position').as('last'))
    .where('serverId', '=', p.serverId),
);

export const categoryOperations = [
  read({
    operation: 'categoriesByServer',
    path: '/servers/:serverId/categories',
    tag: 'category',
    summary: "List a server's categories",
    description:
      'Returns categories sorted by position. Members can see the names of all categories, even if they cannot see any of the channels.',
    visible: 'member',
    answer: category,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db }, input) {
      const rows = q.selectFrom('category').selectAll().where('serverId', '=', input.params.serverId);
      return listByPosition(db, rows, input, toCategory);
    },
  }),

  write({
    operation: 'categoryInsert',
    path: '/categories',
    resource: 'category',
    verb: 'insert',
    summary: 'Create a category',
    body: body({ name: fields.name, serverId: optional(reference()), position: optional(fields.position) }),
    examples: { Example: { name: 'Projects' } },
    answer: category,
    target: async (call, { body }) => ({ serverId: await serverIdOf(call, body.serverId) }),
    async run({ db, emit, newRow, principal }, { body }, { serverId }) {
      const position = body.position ?? positionAfter((await db.first(lastPosition({ serverId })))?.last);
      const row = { ...newRow(), serverId, name: body.name, position, creatorId: principal.userId };
      await db.run(insert('category', row));
      await emit(categoryEvents.created, toCategory(row));
      return toCategory(row);
    },
  }),

  write({
    operation: 'categoryUpdate',
    path: '/categories/:id',
    resource: 'category',
    verb: 'update',
    summary: 'Rename or move a category',
    body: body({
      id: optional(reference()),
      name: optional(fields.name),
      position: optional(fields.position),
    }),
    examples: { Example: { position: 2 } },
    answer: category,
    target: ({ db }, { params }) => load(db, 'category', params.id),
    async run({ db, emit, now }, { body }, found) {
      const fields = sent(body, 'name', 'position');
      if (!alters(found, fields)) return toCategory(found);
      const set = { ...fields, updatedAt: touched(found, now) };
      await db.run(update('category', found.id, set));
      const changed = toCategory({ ...found, ...set });
      await emit(categoryEvents.updated, changed);
      return changed;
    },
  }),

  write({
    operation: 'categoryDelete',
    path: '/categories/:id',
    resource: 'category',
    verb: 'delete',
    summary: 'Delete a category and keep its channels',
    answer: category,
    target: ({ db }, { params }) => load(db, 'category', params.id),
    async run({ db, emit }, _input, found) {
      await emit(categoryEvents.deleted, toCategory(found));
      await db.run(remove('category', { id: found.id }));
      return toCategory(found);
    },
  }),
];
