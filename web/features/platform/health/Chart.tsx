import './health.css';

interface ChartProps {
  /** The text alternative: the chart's subject and its current value. */
  label: string;
  values: readonly number[];
}

const WIDTH = 120;
const HEIGHT = 32;
/** The number of values that fill the width. */
const FULL = 60;

/** A sparkline, with the latest value at the end. */
export function Chart({ label, values }: ChartProps) {
  const most = Math.max(...values, 1);
  const step = WIDTH / (FULL - 1);
  const start = WIDTH - (values.length - 1) * step;
  const points = values.map(
    (value, at) => [start + at * step, HEIGHT - 1 - (value / most) * (HEIGHT - 4)] as const,
  );
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <line className="chart-base" x1={0} x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} />
      <polyline className="chart-line" points={line} />
    </svg>
  );
}
