import { useMemo, useState } from 'react';
import { useServer } from '../../../replica/hooks.ts';
import { auditSettings as t } from '../../../strings/en/auditSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { dateTime, number } from '../../../strings/format.ts';
import { Button, Menu, Select, saveFile, toast } from '../../../ui/index.ts';
import { Page, Rows } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { useLog } from '../useLog.ts';
import { type Change, changesIn } from './changes.ts';
import { EventRow } from './EventRow.tsx';
import { tableOf } from './table.ts';
import { readNames, useNames } from './useNames.ts';
import { nouns, typesFor } from './words.ts';
import './audit.css';

const DAY = 86_400_000;
const spans = [0, 1, 7, 30] as const;
/** So many rows show at first, and more with each click. */
const STEP = 50;
/** So many pages of the log are read at a time. */
const STRETCH = 5;

/** Who did what in a server, as far back as its log is kept. */
export default function Audit({ serverId }: SectionProps) {
  const { server } = useServer(serverId);
  const [noun, setNoun] = useState('');
  const [isExporting, setExporting] = useState(false);
  const [actor, setActor] = useState('');
  const [days, setDays] = useState('0');
  const [most, setMost] = useState(STEP);

  const since = days === '0' ? 0 : Date.now() - Number(days) * DAY;
  const log = useLog(serverId, typesFor(noun), STRETCH, since);
  const { events, isWhole, hasMore } = log;
  const actors = useMemo(() => [...new Set(events.map(({ actorId }) => actorId ?? ''))], [events]);
  const nameOf = useNames(serverId, actors);
  const changes = useMemo(() => changesIn(events, isWhole), [events, isWhole]);
  const filtered = (all: readonly Change[]) =>
    all
      .filter(({ event }) => actor === '' || (event.actorId ?? 'operator') === actor)
      .filter(({ event }) => event.at >= since)
      .toReversed();
  const found = filtered(changes);
  const [oldest] = events;

  const save = async (form: 'csv' | 'json') => {
    setExporting(true);
    try {
      await write(form);
    } catch (error) {
      toast.error(error);
    }
    setExporting(false);
  };

  const write = async (form: 'csv' | 'json') => {
    // All of it, not only what happens to be read by now.
    const all = hasMore ? await log.all() : log;
    if (!all) return;
    const records = filtered(changesIn(all.events, all.isWhole)).map(({ event }) => event);
    const name = `audit-${server?.name ?? serverId}.${form}`.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-');
    if (form === 'json') return saveFile(name, 'application/json', JSON.stringify(records, null, 2));
    const ids = new Set(records.flatMap(({ actorId }) => (actorId && !nameOf(actorId) ? [actorId] : [])));
    const more = await readNames(serverId, [...ids]);
    saveFile(
      name,
      'text/csv;charset=utf-8',
      tableOf(records, (id) => nameOf(id) ?? more.get(id)),
    );
  };

  return (
    <Page
      title={t.title}
      lead={t.lead}
      action={
        <Menu
          label={t.export}
          placement="below-end"
          items={[
            { label: t.csv, icon: 'file-text', onSelect: () => save('csv') },
            { label: t.json, icon: 'code', onSelect: () => save('json') },
          ]}
        >
          {(trigger) => (
            <Button
              {...trigger}
              icon="download"
              disabled={found.length === 0 && !hasMore}
              isPending={isExporting}
            >
              {t.export}
            </Button>
          )}
        </Menu>
      }
    >
      <div className="setting-audit-filters">
        <Select
          label={t.about}
          value={noun}
          onValue={setNoun}
          options={[
            { value: '', label: t.everything },
            ...nouns.map((each) => ({ value: each, label: t.nouns[each] })),
          ]}
        />
        <Select
          label={t.actor}
          value={actor}
          onValue={setActor}
          options={[
            { value: '', label: t.everybody },
            ...actors.map((id) => ({
              value: id || 'operator',
              label: id ? (nameOf(id) ?? serverSettings.somebody) : serverSettings.operator,
            })),
          ]}
        />
        <Select
          label={t.when}
          value={days}
          onValue={setDays}
          options={spans.map((span) => ({ value: String(span), label: t.span(span) }))}
        />
      </div>
      <p className="setting-lead" role="status">
        {log.isReading
          ? t.reading(number(events.length))
          : !hasMore
            ? t.found(found.length)
            : oldest
              ? t.foundSince(t.found(found.length), dateTime(oldest.at))
              : log.error === undefined && t.noneYet}
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
