import { useEffect, useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { usageSettings as t } from '../../../strings/en/records.ts';
import { ago, dateTime, day, hourMark, number, time } from '../../../strings/format.ts';
import { Button, ErrorText, refusalOf, Table } from '../../../ui/index.ts';
import { useSecrets } from '../../key/index.ts';
import { Bars } from '../../settings/bars/index.ts';
import { Group } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Who } from '../../settings/server/index.ts';
import { type KeyUsage, perHour, sumOf } from './keyHours.ts';

const nothing: KeyUsage = { since: 0, hours: 0, keys: [] };

/** Hours in the chart. */
const HOURS = 24;

/**
 * The requests made with API keys: all keys by hour, and the totals of each key. Requires permission to
 * manage keys.
 */
export function KeyUse({ serverId }: SectionProps) {
  const may = useMay(serverId, 'secret insert');
  return (
    <Group title={t.keys} lead={may.allowed ? t.keysLead : t.keysClosed({ why: refusalOf(may) })}>
      {may.allowed && <Counted serverId={serverId} />}
    </Group>
  );
}

function Counted({ serverId }: SectionProps) {
  const usage = useAsked<KeyUsage>(serverId, () => api(serverId).secretUsage({ serverId }));
  const { data } = usage;
  const hours = perHour(data ?? nothing, HOURS, Date.now());
  const isQuiet =
    data !== undefined && hours.every((each) => each.answered + each.refused + each.limited === 0);
  return (
    <>
      {usage.error !== undefined && <ErrorText error={usage.error} onAgain={usage.again} />}
      {(data || usage.isAsking) && (
        <>
          <p className="setting-lead">
            {data ? t.countedSince({ when: dateTime(data.since), hours: data.hours }) : common.loading}
          </p>
          {isQuiet && <p>{t.noRequests({ hours: HOURS })}</p>}
          {!isQuiet && (
            <Bars
              isToCome={!data}
              caption={t.requests}
              unit={t.hour}
              first={t.answered}
              second={t.turnedAway}
              bars={hours.map(({ at, answered, refused, limited }) => ({
                ...{ at, mark: hourMark(at), name: `${day(at)}, ${time(at)}` },
                ...{ first: answered, second: refused + limited },
                tip: t.inHour({ hour: `${day(at)}, ${time(at)}`, answered, refused, limited }),
              }))}
            />
          )}
          <div>
            <Button size="small" icon="refresh-cw" onClick={usage.again} isPending={usage.isAsking}>
              {common.refresh}
            </Button>
          </div>
        </>
      )}
      <Keys serverId={serverId} usage={data} />
    </>
  );
}

const hasAll = (usage: KeyUsage | undefined, ids: ReadonlySet<string>): boolean =>
  usage === undefined || usage.keys.every(({ secretId }) => ids.has(secretId));

/** The number of rows shown at first, and added with each click on “more”. */
const STEP = 100;

/** The keys, by last use. Pages are loaded until all keys with counted requests are found. */
function Keys({ serverId, usage }: { serverId: string; usage: KeyUsage | undefined }) {
  const { pages, rows } = useSecrets(serverId, true);
  const [most, setMost] = useState(STEP);
  const keys = rows
    .filter(({ kind }) => kind === 'apiKey')
    .sort((one, other) => (other.lastUsedAt ?? 0) - (one.lastUsedAt ?? 0))
    .map((key) => ({ ...key, ...sumOf(usage, key.id) }));
  // A key with counted requests may be on any page.
  const isMissed =
    pages.hasMore &&
    !pages.isReading &&
    pages.error === undefined &&
    !hasAll(usage, new Set(keys.map(({ id }) => id)));
  useEffect(() => {
    if (isMissed) pages.more();
  });
  const count = (of: 'answered' | 'refused' | 'limited') => ({
    ...{ key: of, label: t[of], isNumber: true },
    show: (key: (typeof keys)[number]) => (usage ? number(key[of]) : ''),
  });
  const more = () => {
    setMost(most + STEP);
    if (keys.length < most + STEP && pages.hasMore) pages.more();
  };
  return (
    <>
      <Table
        label={t.keys}
        keyOf={({ id }) => id}
        rows={pages.isReading && keys.length === 0 ? undefined : keys.slice(0, most)}
        empty={<p className="setting-lead">{t.noKeys}</p>}
        columns={[
          { key: 'name', label: t.key, show: ({ name }) => <bdi>{name}</bdi> },
          { key: 'as', label: t.actsAs, show: ({ userId }) => <Who serverId={serverId} userId={userId} /> },
          count('answered'),
          count('refused'),
          count('limited'),
          {
            key: 'used',
            label: t.lastUse,
            isNumber: true,
            show: ({ lastUsedAt }) => (lastUsedAt === null ? t.unused : ago(lastUsedAt)),
          },
        ]}
      />
      {pages.error !== undefined && <ErrorText error={pages.error} onAgain={pages.more} />}
      {(keys.length > most || pages.hasMore) && (
        <p className="setting-rows-state">
          <Button isPending={pages.isReading} onClick={more}>
            {common.more}
          </Button>
        </p>
      )}
    </>
  );
}
