import { useMemo, useState } from 'react';
import { useServer } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { auditSettings as t } from '../../../strings/en/records.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { dateTime, number } from '../../../strings/format.ts';
import { Button, Menu, Select, saveFile } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { Page, Rows } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { type Log, useLog } from '../useLog.ts';
import { actorOf, nameOfActor } from './actors.ts';
import { type Change, changesIn } from './changes.ts';
import { EventRow } from './EventRow.tsx';
import { isModeration } from './moderation.ts';
import { tableOf } from './table.ts';
import { readNames, useNames } from './useNames.ts';
import { nouns, typesFor } from './words.ts';
import './audit.css';

const DAY = 86_400_000;
const spans = [0, 1, 7, 30] as const;
/** The number of rows shown at first, and added with each click on “more”. */
const STEP = 50;
/** Pages of the log per batch. */
const STRETCH = 5;

type NameOf = ReturnType<typeof useNames>;

/** The audit log of a server, as far back as it is retained. */
export default function Audit({ serverId }: SectionProps) {
  const [filter, setFilter] = useState<Filter>({ noun: '', actor: '', days: '0' });
  const [most, setMost] = useState(STEP);

  const since = filter.days === '0' ? 0 : Date.now() - Number(filter.days) * DAY;
  const log = useLog(serverId, typesFor(filter.noun), STRETCH, since);
  const { events, isWhole, hasMore } = log;
  const actors = useMemo(() => [...new Set(events.map(actorOf))], [events]);
  const userIds = useMemo(() => actors.filter((actor) => nameOfActor(actor) === undefined), [actors]);
  const nameOf = useNames(serverId, userIds);
  const changes = useMemo(() => changesIn(events, isWhole), [events, isWhole]);
  const filtered = (all: readonly Change[]) =>
    all
      .filter((change) => filter.noun !== 'moderation' || isModeration(change))
      .filter(({ event }) => filter.actor === '' || actorOf(event) === filter.actor)
      .filter(({ event }) => event.at >= since)
      .toReversed();
  const found = filtered(changes);

  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={<Export {...{ serverId, log, nameOf, filtered }} isDisabled={found.length === 0 && !hasMore} />}
    >
      <Filters {...{ filter, actors, nameOf }} onFilter={setFilter} />
      <p className="setting-lead" role="status">
        {stateOf(log, found.length)}
      </p>
      <Rows
        label={t.title}
        count={found.length}
        pages={{ ...log, hasMore: hasMore && !log.isReading && found.length <= most }}
        empty={{ icon: 'list', title: t.none, text: t.noneMore }}
      >
        {found.slice(0, most).map((change) => (
          <EventRow key={change.event.id} serverId={serverId} {...change} />
        ))}
      </Rows>
      <div className="setting-audit-foot">
        {found.length > most && <Button onClick={() => setMost(most + STEP)}>{t.older}</Button>}
        {!log.isReading && (
          <Button kind="quiet" icon="refresh-cw" onClick={log.again}>
            {t.newer}
          </Button>
        )}
      </div>
    </Page>
  );
}

/** How far back the log is loaded, and the number of matches. */
function stateOf({ isReading, events, hasMore, error }: Log, count: number): string | false {
  const [oldest] = events;
  if (isReading) return t.reading({ count: number(events.length) });
  if (!hasMore) return t.found({ count });
  return oldest
    ? t.foundSince({ found: t.found({ count }), since: dateTime(oldest.at) })
    : error === undefined && t.noneYet;
}

interface Filter {
  noun: string;
  /** The result of `actorOf`, or empty for everyone. */
  actor: string;
  days: string;
}

interface FiltersProps {
  filter: Filter;
  actors: readonly string[];
  nameOf: NameOf;
  onFilter: (filter: Filter) => void;
}

const Filters = ({ filter, actors, nameOf, onFilter }: FiltersProps) => (
  <div className="setting-audit-filters">
    <Select
      label={t.about}
      value={filter.noun}
      onValue={(noun) => onFilter({ ...filter, noun })}
      options={[
        { value: '', label: t.everything },
        { value: 'moderation', label: t.moderation },
        ...nouns.map((each) => ({ value: each, label: t.nouns[each] })),
      ]}
    />
    <Select
      label={t.actor}
      value={filter.actor}
      onValue={(actor) => onFilter({ ...filter, actor })}
      options={[
        { value: '', label: t.everybody },
        ...actors.map((id) => ({
          value: id,
          label: nameOfActor(id) ?? nameOf(id) ?? serverSettings.somebody,
        })),
      ]}
    />
    <Select
      label={common.date}
      value={filter.days}
      onValue={(days) => onFilter({ ...filter, days })}
      options={spans.map((span) => ({ value: String(span), label: t.span({ days: span }) }))}
    />
  </div>
);

interface ExportProps {
  serverId: string;
  log: Log;
  nameOf: NameOf;
  filtered: (changes: readonly Change[]) => readonly Change[];
  isDisabled: boolean;
}

/** Exports all matching events, after loading the rest of the log. */
function Export({ serverId, log, nameOf, filtered, isDisabled }: ExportProps) {
  const { server } = useServer(serverId);
  const [isPending, run] = usePending();
  const save = async (form: 'csv' | 'json') => {
    const all = log.hasMore ? await log.all() : log;
    if (!all) return;
    const records = filtered(changesIn(all.events, all.isWhole)).map(({ event }) => event);
    const name = `audit-${server?.name ?? serverId}.${form}`.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-');
    if (form === 'json') return saveFile(name, 'application/json', JSON.stringify(records, null, 2));
    const ids = new Set(records.flatMap(({ actorId }) => (actorId && !nameOf(actorId) ? [actorId] : [])));
    const more = await readNames(serverId, [...ids]);
    const table = tableOf(records, (id) => nameOf(id) ?? more.get(id));
    saveFile(name, 'text/csv;charset=utf-8', table);
  };
  return (
    <Menu
      label={t.export}
      placement="below-end"
      items={[
        { label: t.csv, icon: 'file-text', onSelect: () => run(() => save('csv')) },
        { label: t.json, icon: 'code', onSelect: () => run(() => save('json')) },
      ]}
    >
      {(trigger) => (
        <Button {...trigger} icon="download" disabled={isDisabled} isPending={isPending}>
          {t.export}
        </Button>
      )}
    </Menu>
  );
}
