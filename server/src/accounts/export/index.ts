import { Readable } from 'node:stream';
import type { Reader } from '../../db/contract.ts';
import { dispositionOf } from '../../files/name.ts';
import { late } from '../../lib/late.ts';
import { requireProven } from '../../operations/call.ts';
import { download } from '../../operations/download.ts';
import { load } from '../../resources/common.ts';

const loadRows = late(() => import('./rows.ts'));

export const personExport = download({
  operation: 'personExport',
  people: true,
  path: '/export',
  tag: 'person',
  kind: 'export',
  bound: 'exports',
  summary: 'A copy of all that the server holds of you',
  description:
    'JSON Lines, each `{"table": …, "row": {…}}`: profile, account and sessions, memberships, messages, files by their names, reactions, drafts, marks of reading, keys without their values. Of what you made in servers and others may have changed since, such as channels, it tells that you made it. It asks for a proof of who you are.',
  visible: 'self',
  type: 'application/jsonl',
  async target(call) {
    const { principal, db } = call;
    requireProven(call);
    const { username } = await load(db, 'user', principal.userId);
    return { serverId: null, ownerId: principal.userId, username };
  },
  async run({ db }, _input, { ownerId, username }) {
    return {
      type: 'application/jsonl',
      headers: { 'content-disposition': dispositionOf('attachment', `${username}.jsonl`) },
      // Starts and ends with the response.
      async bytes() {
        const bytes: Readable = Readable.from(
          texts(db, ownerId, () => bytes.destroyed),
          { highWaterMark: 1 },
        );
        return bytes;
      },
    };
  },
});

/** The export, page by page. `isLeft` returns true once the client has disconnected, which stops the search. */
async function* texts(db: Reader, userId: string, isLeft: () => boolean): AsyncGenerator<string> {
  const { linesOf, rowsAbout } = await loadRows();
  for await (const page of rowsAbout(db, userId, true)) {
    if (isLeft()) return;
    if (page.rows.length > 0) yield linesOf(page);
  }
}
