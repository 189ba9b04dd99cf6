import { base } from '../../../api/base.ts';
import { platformHealth as t } from '../../../strings/en/platform.ts';
import { bytes, milliseconds, number, percent } from '../../../strings/format.ts';
import { Group } from '../../settings/index.ts';
import { Chart } from './Chart.tsx';
import { type Load as LoadKind, loadOf, loads, type Sample } from './load.ts';

/** Formats a number, rounded to one decimal place below 10 and to an integer above. */
const about = (value: number): string => number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

const show: Record<LoadKind, (value: number) => string> = {
  requests: about,
  duration: milliseconds,
  limited: about,
  failed: about,
  writes: about,
  streams: number,
  cpu: percent,
  memory: bytes,
};

/** The load of the node that responded, and its history, from its metrics. */
export function Load({ samples }: { samples: readonly Sample[] }) {
  const all = loadOf(samples);
  const latest = all.at(-1);
  if (!latest) return null;
  return (
    <Group title={t.title} lead={t.lead}>
      <ul className="tiles">
        {loads.map((load) => {
          const value = show[load](latest[load]);
          return (
            <li key={load} className="tile">
              <p className="small muted">{t.loads[load]}</p>
              <p className="tile-value">{value}</p>
              <Chart label={t.chart({ what: t.loads[load], value })} values={all.map((each) => each[load])} />
            </li>
          );
        })}
      </ul>
      <p>
        <a href={`${base}/docs/guides/monitoring`}>{t.guide}</a>
      </p>
    </Group>
  );
}
