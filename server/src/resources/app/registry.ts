import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q } from '../../db/statements.ts';
import { Type } from '../../lib/schema.ts';
import { fold } from '../../lib/text/fold.ts';
import { optional, text } from '../../operations/fields.ts';
import { type Page, read } from '../../operations/read.ts';
import { listById, type PageInput, pageById, rowsById } from '../lists.ts';
import { app, toApp } from './appRecord.ts';

type AppRow = RowOf<'app'>;

const verifiedApps = () =>
  q.selectFrom('app').selectAll().where('submittedAt', 'is not', null).where('verified', '=', true);

/**
 * Number of rows that a search reads at once. A description has up to 4,000 characters, and folding it takes
 * time.
 */
const BATCH = 50;
/**
 * Maximum rows that a search reads for one page. A page may end early, and the next one continues the search.
 */
const MAX_READ = 500;

/**
 * Returns a page of the apps whose name or description contains the search text, ignoring case and accents.
 * Text is compared in JavaScript, because `lower` and `like` treat non-ASCII letters differently in the two
 * database engines.
 */
async function searched(db: Reader, search: string, { query, after }: PageInput): Promise<Page> {
  const wanted = fold(search);
  const found: AppRow[] = [];
  let position = after;
  let isAtEnd = false;
  for (let taken = 0; !isAtEnd && taken < MAX_READ && found.length <= query.limit; taken += BATCH) {
    const input = { query: { limit: BATCH - 1 }, after: position };
    const rows = await db.all(rowsById(verifiedApps(), input, 'desc'));
    isAtEnd = rows.length < BATCH;
    found.push(
      ...rows.filter(({ name, description }) => fold(`${name ?? ''} ${description ?? ''}`).includes(wanted)),
    );
    position = [rows.at(-1)?.id ?? ''];
  }
  const page = pageById(found, query.limit, toApp);
  return { ...page, next: page.next ?? (isAtEnd ? null : (position ?? null)) };
}

export const registryApps = read({
  operation: 'registryApps',
  people: true,
  path: '/registry/apps',
  tag: 'app',
  summary: 'List apps that any server can install',
  description:
    'Returns verified apps in the registry, newest first. A page of search results can have fewer records than the limit and still have a next page.',
  visible: 'anyone',
  query: Type.Object({
    q: optional(
      text({
        min: 1,
        max: 100,
        description: 'Part of the name or description, ignoring case and accents',
        examples: ['weather'],
      }),
    ),
  }),
  answer: app,
  list: 'many',
  target: () => ({ serverId: null }),
  async run({ db }, input) {
    return input.query.q === undefined
      ? listById(db, verifiedApps(), input, toApp, 'desc')
      : searched(db, input.query.q, input);
  },
});
