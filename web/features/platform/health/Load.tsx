import { platformHealth as t } from '../../../strings/en/platform.ts';
import { bytes, milliseconds, number, percent } from '../../../strings/format.ts';
import { Group } from '../../settings/index.ts';
import { Chart } from './Chart.tsx';
import { type Load as LoadKind, loadOf, loads, type Sample } from './load.ts';

/** A number of which the first digits tell enough. */
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

/** What the node that answers has to do, with how it was: figures of its `/metrics`. */
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
              <p className="tile-word">{t.loads[load]}</p>
              <p className="tile-value">{value}</p>
              <Chart label={t.chart({ what: t.loads[load], value })} values={all.map((each) => each[load])} />
            </li>
          );
        })}
      </ul>
      <p>
        <a href="/docs/guides/monitoring">{t.guide}</a>
      </p>
    </Group>
  );
}
