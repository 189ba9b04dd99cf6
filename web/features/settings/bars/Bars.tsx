import { common } from '../../../strings/en/common.ts';
import { compactNumber, number } from '../../../strings/format.ts';
import './bars.css';

/** A stacked bar with two numbers. */
interface Bar {
  at: number;
  /** The axis label, which is hidden if there is no room. */
  mark: string;
  /** The row header in the table for screen readers. */
  name: string;
  /** The tooltip. */
  tip: string;
  first: number;
  second: number;
}

interface BarsProps {
  bars: readonly Bar[];
  caption: string;
  /** The unit of the bars, such as days. */
  unit: string;
  first: string;
  second: string;
  /** Shows a placeholder while the numbers load. */
  isToCome?: boolean;
}

/** A bar chart, with a table for screen readers. */
export function Bars({ isToCome = false, ...props }: BarsProps) {
  const { bars, first, second } = props;
  const highest = Math.max(1, ...bars.map((bar) => bar.first + bar.second));
  const share = (count: number) => `calc((100% - 1.25rem) * ${count / highest})`;
  return (
    <figure className="stack setting-bars" aria-busy={isToCome}>
      <div className="setting-bars-plot" aria-hidden="true">
        {bars.map((bar) => (
          <div key={bar.at} className="setting-bars-day" data-tip={bar.tip}>
            <span className="setting-bars-stack">
              <span className="setting-bars-count">
                {bar.first + bar.second > 0 ? compactNumber(bar.first + bar.second) : ''}
              </span>
              <span className="setting-bars-agents" style={{ blockSize: share(bar.second) }} />
              <span className="setting-bars-people" style={{ blockSize: share(bar.first) }} />
            </span>
            <span className="setting-bars-name">{bar.mark}</span>
          </div>
        ))}
      </div>
      <figcaption className="setting-bars-legend" aria-hidden="true">
        <span className="setting-bars-key setting-bars-key-people">{first}</span>
        <span className="setting-bars-key setting-bars-key-agents">{second}</span>
      </figcaption>
      {isToCome ? (
        <p className="only-read" role="status">
          {common.loading}
        </p>
      ) : (
        <Heard {...props} />
      )}
    </figure>
  );
}

const Heard = ({ bars, caption, unit, first, second }: BarsProps) => (
  <table className="only-read">
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{unit}</th>
        <th scope="col">{first}</th>
        <th scope="col">{second}</th>
      </tr>
    </thead>
    <tbody>
      {bars.map((bar) => (
        <tr key={bar.at}>
          <th scope="row">{bar.name}</th>
          <td>{number(bar.first)}</td>
          <td>{number(bar.second)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
