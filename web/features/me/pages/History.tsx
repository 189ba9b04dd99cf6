import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { history as t } from '../../../strings/en/account.ts';
import { me } from '../../../strings/en/me.ts';
import { dateTime } from '../../../strings/format.ts';
import { Icon, type IconName } from '../../../ui/index.ts';
import { Facts, Page, Row, Rows } from '../../settings/index.ts';
import { deviceName } from '../deviceName.ts';

type Entry = Records['HistoryEntry'];

const icons: Partial<Record<Entry['type'], IconName>> = {
  signedUp: 'user-plus',
  signedIn: 'log-in',
  signedOut: 'log-out',
  sessionRevoked: 'log-out',
  sessionsRevoked: 'log-out',
  grantAdded: 'plug',
  grantRevoked: 'plug',
};

const iconOf = ({ type, actor }: Entry): IconName =>
  actor === 'unknown' ? 'triangle-alert' : (icons[type] ?? 'shield-check');

/** A later version of the server may have additional types. */
const titleOf = ({ type }: Entry): string => t.types[type] ?? type;

/** The history of the user's account. */
export function History() {
  const pages = usePages('history', (cursor) =>
    api('none').personHistory({ limit: 50, ...(cursor !== undefined && { cursor }) }),
  );
  const { rows = [], isAsking: isReading, error, hasMore } = pages;
  return (
    <Page title={me.sections.history} lead={t.lead}>
      <Rows
        label={me.sections.history}
        count={rows.length}
        pages={{ isReading, error, hasMore, more: () => void pages.more() }}
        empty={{ icon: 'clock', title: t.none }}
      >
        {rows.map((entry) => (
          <Row
            key={entry.id}
            mark={<Icon name={iconOf(entry)} size={22} />}
            title={titleOf(entry)}
            note={
              <Facts
                of={[
                  entry.method && t.methods[entry.method],
                  (entry.actor === 'admin' || entry.actor === 'operator') && t.actors[entry.actor],
                  entry.count > 1 && t.attempts({ count: entry.count }),
                  entry.device && <bdi key="device">{deviceName(entry.device)}</bdi>,
                  entry.address && (
                    <span key="address" dir="ltr">
                      {entry.address}
                    </span>
                  ),
                  <time key="at" dateTime={new Date(entry.createdAt).toISOString()}>
                    {dateTime(entry.createdAt)}
                  </time>,
                ]}
              />
            }
          />
        ))}
      </Rows>
    </Page>
  );
}
