import type { Session } from './session.ts';
import type { OwnNoun, Rows } from './types.ts';

/** Rows per request. */
const PAGE = 100;
/** Maximum number of requests per list. The “Saved” page loads older saved messages itself. */
const MOST_PAGES = { block: 10, saved: 3, scheduledMessage: 1 };

type Ask<Row> = (input: {
  limit: number;
  cursor?: string;
}) => PromiseLike<readonly Row[] & { nextCursor: string | null }>;

/** API calls for the user's own data, across all servers. */
interface Calls {
  blocks: Ask<Rows['block']>;
  savedMessages: Ask<Rows['saved']>;
  scheduledMessages: Ask<Rows['scheduledMessage']>;
}

async function read<N extends OwnNoun>({ replica }: Session, noun: N, ask: Ask<Rows[N]>): Promise<void> {
  const rows: Rows[N][] = [];
  let cursor: string | null = '';
  const begun = replica.marks.begin();
  try {
    for (let left = MOST_PAGES[noun]; left > 0 && cursor !== null; left--) {
      const page: Awaited<ReturnType<typeof ask>> = await ask({ limit: PAGE, ...(cursor && { cursor }) });
      rows.push(...page);
      cursor = page.nextCursor;
    }
    replica.own(begun, noun, rows, cursor === null ? '' : rows.at(-1)?.id);
  } catch {
    // Best effort: until the next read, the rows may be missing or outdated.
  } finally {
    replica.marks.end(begun);
  }
}

/**
 * Loads the user's blocks, saved and scheduled messages. Events keep them up to date. Reloads them after an
 * interruption of the stream, because these events are only sent live, and when the user leaves a server.
 * Runs until the session ends.
 */
export function keepOwn(session: Session, own: Calls): void {
  const readAll = () => {
    void read(session, 'block', own.blocks);
    void read(session, 'saved', own.savedMessages);
    void read(session, 'scheduledMessage', own.scheduledMessages);
  };
  let isLive = true;
  session.subscribe('connection', () => {
    const wasLive = isLive;
    isLive = session.connection().status === 'live';
    if (isLive && !wasLive) readAll();
  });
  let servers = 0;
  session.subscribe('server@all=', () => {
    const before = servers;
    servers = session.replica.count('server');
    if (servers < before) readAll();
  });
  readAll();
}
