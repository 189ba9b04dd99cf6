import { Readable } from 'node:stream';
import type { Reader } from '../../db/contract.ts';
import { dispositionOf } from '../../files/name.ts';
import { late } from '../../lib/late.ts';
import { requireProven } from '../../operations/call.ts';
import { download } from '../../operations/download.ts';
import { personActor, transactOnAccount, workIn } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { recordHistory } from '../history/record.ts';

const loadRows = late(() => import('./rows.ts'));

export const personExport = download({
  operation: 'personExport',
  people: true,
  path: '/export',
  tag: 'person',
  kind: 'export',
  bound: 'exports',
  summary: 'Export your data',
  description:
    'Returns JSON Lines of the form `{"table": …, "row": {…}}` with your profile, account and sessions, memberships, messages, file names, reactions, drafts, read markers, and keys without their values. For shared records that you created, such as channels, the export contains only the fact that you created them. Requires a confirmed identity.',
  visible: 'self',
  type: 'application/jsonl',
  async target(call) {
    const { principal, db } = call;
    requireProven(call);
    const { username } = await load(db, 'user', principal.userId);
    return { serverId: null, ownerId: principal.userId, username };
  },
  async run({ db, services }, _input, { ownerId, username }) {
    await transactOnAccount(services, ownerId, async (tx, pending) => {
      const work = workIn(tx, services, personActor(ownerId), pending);
      await recordHistory(work, { userId: ownerId, type: 'dataExported' });
    });
    return {
      type: 'application/jsonl',
      headers: { 'content-disposition': dispositionOf('attachment', `${username}.jsonl`) },
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

/**
 * Yields the export page by page. Stops when `isLeft` returns true, which means that the client has
 * disconnected.
 */
async function* texts(db: Reader, userId: string, isLeft: () => boolean): AsyncGenerator<string> {
  const { linesOf, rowsAbout } = await loadRows();
  for await (const page of rowsAbout(db, userId, true)) {
    if (isLeft()) return;
    if (page.rows.length > 0) yield linesOf(page);
  }
}
