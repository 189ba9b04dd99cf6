import { useServer } from '../../../replica/hooks.ts';
import type { ServerState } from '../../../replica/types.ts';
import { common } from '../../../strings/en/common.ts';
import { usageSettings as t } from '../../../strings/en/records.ts';
import { dateTime, day, dayMark, number } from '../../../strings/format.ts';
import { Button, Empty, ErrorText, Table } from '../../../ui/index.ts';
import { type Log, useLog } from '../../audit/index.ts';
import { Bars } from '../../settings/bars/index.ts';
import { firstDay } from '../../settings/days/index.ts';
import { Group, Page } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Who } from '../../settings/server/index.ts';
import { perAuthor, perDay, type Sent, sentIn } from './counts.ts';
import { KeyUse } from './KeyUse.tsx';

/** The number of days shown, including today. Equals the default retention of the log. */
const DAYS = 30;
/** Pages of the log per batch. */
const STRETCH = 20;

/** A server's usage: messages by day and by author, API keys, rate limits. */
export default function Usage({ serverId }: SectionProps) {
  const { state } = useServer(serverId);
  const since = firstDay(DAYS, Date.now());
  const log = useLog(serverId, 'message.created', STRETCH, since);
  const sent = sentIn(log.events).filter(({ at }) => at >= since);
  const authors = perAuthor(sent, 10);
  return (
    <Page title={t.title} lead={t.lead}>
      <Messages log={log} sent={sent} />
      {(authors.length > 0 || log.isReading) && (
        <Authors serverId={serverId} authors={log.isReading && authors.length === 0 ? undefined : authors} />
      )}
      <KeyUse serverId={serverId} />
      {state && <Limits limits={state.limits} />}
    </Page>
  );
}

/** The rate limits that affect members and API clients. */
const limited = ['query', 'message', 'reaction', 'thread', 'channel', 'server', 'attachment'] as const;

function Messages({ log, sent }: { log: Log; sent: readonly Sent[] }) {
  const [first] = sent;
  return (
    <Group
      title={t.messages}
      lead={
        !log.hasMore || log.isReading || log.error !== undefined
          ? t.messagesLead
          : first
            ? t.messagesSince({ count: number(sent.length), since: dateTime(first.at) })
            : t.noneYet
      }
      action={
        log.hasMore &&
        log.error === undefined &&
        !log.isReading && (
          <Button size="small" onClick={log.more}>
            {t.readOn}
          </Button>
        )
      }
    >
      {log.error !== undefined && <ErrorText error={log.error} onAgain={log.more} />}
      {(sent.length > 0 || log.isReading) && (
        <Bars
          isToCome={sent.length === 0}
          caption={t.messages}
          unit={common.date}
          first={t.people}
          second={t.agents}
          bars={perDay(sent, DAYS, Date.now()).map(({ at, people, agents }) => ({
            ...{ at, mark: dayMark(at), name: day(at), first: people, second: agents },
            tip: t.day({ date: day(at), people, agents }),
          }))}
        />
      )}
      {!log.isReading && !log.hasMore && sent.length === 0 && log.error === undefined && (
        <Empty icon="activity" title={t.quiet} text={t.quietMore} />
      )}
    </Group>
  );
}

interface AuthorsProps {
  serverId: string;
  /** Undefined while counting. */
  authors: ReturnType<typeof perAuthor> | undefined;
}

const Authors = ({ serverId, authors }: AuthorsProps) => (
  <Group title={t.authors} lead={t.authorsLead}>
    <Table
      label={t.authors}
      keyOf={({ userId }) => userId}
      rows={authors}
      columns={[
        {
          key: 'who',
          label: t.author,
          show: ({ userId }) => <Who serverId={serverId} userId={userId} />,
        },
        { key: 'kind', label: t.kind, show: ({ type }) => t.kinds[type] },
        { key: 'count', label: t.count, isNumber: true, show: ({ count }) => number(count) },
      ]}
    />
  </Group>
);

const Limits = ({ limits }: { limits: ServerState['limits'] }) => (
  <Group title={t.limits} lead={t.limitsLead}>
    <Table
      label={t.limits}
      keyOf={([kind]) => kind}
      rows={limited.map((kind) => [kind, limits[kind]] as const)}
      columns={[
        { key: 'kind', label: t.what, show: ([kind]) => t.limitKinds[kind] },
        {
          key: 'count',
          label: t.perMinute,
          isNumber: true,
          show: ([, count]) => (count === 0 ? t.unlimited : number(count)),
        },
      ]}
    />
  </Group>
);
