import { useMemo, useState } from 'react';
import { useServer } from '../../../replica/hooks.ts';
import { auditSettings as t } from '../../../strings/en/auditSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { number } from '../../../strings/format.ts';
import { Button, Menu, Select } from '../../../ui/index.ts';
import { Page, Rows } from '../../settings/index.ts';
import type { SectionProps } from '../parts/sectionProps.ts';
import { useLog } from '../parts/useLog.ts';
import { useNames } from '../parts/useNames.ts';
import { changesIn } from './changes.ts';
import { EventRow } from './EventRow.tsx';
import { saveFile } from './saveFile.ts';
import { tableOf } from './table.ts';
import { nounOf, nouns, types } from './words.ts';
import './audit.css';

const DAY = 86_400_000;
const spans = [0, 1, 7, 30] as const;
/** So many rows show at first, and more with each click. */
const STEP = 50;

/** Who did what in a server, as far back as its log is kept. */
export default function Audit({ serverId }: SectionProps) {
  const { server } = useServer(serverId);
  const log = useLog(serverId, types);
  const [noun, setNoun] = useState('');
  const [actor, setActor] = useState('');
  const [days, setDays] = useState('0');
  const [most, setMost] = useState(STEP);

  const actors = useMemo(() => [...new Set(log.events.map(({ actorId }) => actorId ?? ''))], [log.events]);
  const nameOf = useNames(serverId, actors);
  const since = days === '0' ? 0 : Date.now() - Number(days) * DAY;
  const changes = useMemo(() => changesIn(log.events), [log.events]);
  const found = changes
    .filter(({ event }) => noun === '' || nounOf(event) === noun)
    .filter(({ event }) => actor === '' || (event.actorId ?? 'operator') === actor)
    .filter(({ event }) => event.at >= since)
    .toReversed();
  const events = found.map(({ event }) => event);

  const save = (form: 'csv' | 'json') => {
    const name = `audit-${server?.name ?? serverId}.${form}`.replaceAll(/[^\p{L}\p{N}.-]+/gu, '-');
    if (form === 'csv') saveFile(name, 'text/csv;charset=utf-8', tableOf(events, nameOf));
    else saveFile(name, 'application/json', JSON.stringify(events, null, 2));
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
            <Button {...trigger} icon="download" disabled={found.length === 0}>
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
        {log.isReading ? t.reading(number(log.events.length)) : t.found(found.length)}
      </p>
      <Rows
        label={t.title}
        count={found.length}
        pages={{ ...log, hasMore: log.hasMore && !log.isReading }}
        empty={{ icon: 'list', title: t.none, text: t.noneMore }}
      >
        {found.slice(0, most).map((change) => (
          <EventRow key={change.event.id} serverId={serverId} {...change} />
        ))}
      </Rows>
      <div className="setting-audit-foot">
        {found.length > most && <Button onClick={() => setMost(most + STEP)}>{t.older}</Button>}
        {!log.isReading && !log.hasMore && (
          <Button kind="quiet" icon="refresh-cw" onClick={log.more}>
            {t.newer}
          </Button>
        )}
      </div>
    </Page>
  );
}
