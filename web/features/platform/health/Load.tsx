import { platformHealth as t } from '../../../strings/en/platformHealth.ts';
import { Group } from '../../settings/index.ts';
import { Chart } from './Chart.tsx';
import { loadOf, loads, type Sample } from './load.ts';

/** What the node that answers has to do, with how it was: figures of its `/metrics`. */
export function Load({ samples }: { samples: readonly Sample[] }) {
  const all = loadOf(samples);
  const latest = all.at(-1);
  if (!latest) return null;
  return (
    <Group title={t.title} lead={t.lead}>
      <ul className="tiles">
        {loads.map((load) => {
          const value = t.values[load](latest[load]);
          return (
            <li key={load} className="tile">
              <p className="tile-word">{t.loads[load]}</p>
              <p className="tile-value">{value}</p>
              <Chart label={t.chart(t.loads[load], value)} values={all.map((each) => each[load])} />
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
