import { useAsked } from '../../../api/asked.ts';
import { api } from '../../../api/index.ts';
import { imports as t } from '../../../strings/en/platformSettings.ts';
import { dateTime, number } from '../../../strings/format.ts';
import { Dialog, ErrorText, Spinner, Table } from '../../../ui/index.ts';
import { Group } from '../../settings/index.ts';
import { type Import, whatOf } from './words.ts';

type Report = NonNullable<Import['report']>;
type Kind = keyof typeof t.kinds;
const kinds = Object.keys(t.kinds) as Kind[];

/** The reports and the log of an import. */
export function Details({ id, onClose }: { id: string; onClose: () => void }) {
  const asked = useAsked(id, () => api('none').platformImportById({ id }));
  const row = asked.data;
  return (
    <Dialog title={row ? whatOf(row) : t.details} size="l" onClose={onClose}>
      {asked.error !== undefined && <ErrorText error={asked.error} onAgain={asked.again} />}
      {!row && asked.error === undefined && <Spinner />}
      {row && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it
        <section className="platform-details" aria-label={t.details} tabIndex={0}>
          {row.failure !== null && <ErrorText>{row.failure}</ErrorText>}
          {row.asPlanned === false && <ErrorText>{t.differs}</ErrorText>}
          {row.planned && row.asPlanned !== true && <ReportTable title={t.planned} report={row.planned} />}
          {row.report && <ReportTable title={t.report} report={row.report} />}
          <Group title={t.log}>
            <ol className="platform-log">
              {row.log.map(({ at, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added
                <li key={index}>
                  <span className="platform-muted">{dateTime(at)}</span> <bdi>{text}</bdi>
                </li>
              ))}
            </ol>
          </Group>
        </section>
      )}
    </Dialog>
  );
}

function ReportTable({ title, report }: { title: string; report: Report }) {
  const rows = kinds.map((kind) => ({ kind, ...report[kind] }));
  const reasons = rows.flatMap(({ kind, reasons }) => reasons.map((each) => ({ kind, ...each })));
  return (
    <Group title={title}>
      <Table
        label={title}
        rows={rows}
        keyOf={({ kind }) => kind}
        columns={[
          { key: 'kind', label: t.kind, show: ({ kind }) => t.kinds[kind] },
          ...(['found', 'written', 'present', 'lost'] as const).map((key) => ({
            ...{ key, label: t[key], isNumber: true },
            show: (row: (typeof rows)[number]) => number(row[key]),
          })),
        ]}
      />
      <ul className="platform-log">
        {reasons.map(({ kind, reason, count }) => (
          <li key={`${kind} ${reason}`}>{t.reason({ count: number(count), kind: t.kinds[kind], reason })}</li>
        ))}
      </ul>
    </Group>
  );
}
