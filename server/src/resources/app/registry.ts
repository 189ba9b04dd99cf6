import { sql } from 'kysely';
import { q } from '../../db/statements.ts';
import { Type } from '../../lib/schema.ts';
import { optional, text } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { listById } from '../lists.ts';
import { app, toApp } from './appRecord.ts';

/** Escapes text for a LIKE pattern. */
const literal = (words: string): string => words.replace(/[\\%_]/g, '\\$&');

export const registryApps = read({
  operation: 'registryApps',
  people: true,
  path: '/registry/apps',
  tag: 'app',
  summary: 'List apps that any server can install',
  description: 'Verified apps in the registry, newest first.',
  visible: 'anyone',
  query: Type.Object({
    q: optional(
      text({
        min: 1,
        max: 100,
        description: 'Part of the name or description',
        examples: ['weather'],
      }),
    ),
  }),
  answer: app,
  list: 'many',
  target: () => ({ serverId: null }),
  async run({ db }, input) {
    let rows = q
      .selectFrom('app')
      .selectAll()
      .where('submittedAt', 'is not', null)
      .where('verified', '=', true);
    if (input.query.q !== undefined) {
      const pattern = `%${literal(input.query.q.toLowerCase())}%`;
      rows = rows.where(
        sql<boolean>`lower(coalesce(name, '') || ' ' || coalesce(description, '')) like ${pattern} escape '\\'`,
      );
    }
    return listById(db, rows, input, toApp, 'desc');
  },
});
