import './json.css';

/** A value as formatted JSON, scrollable by keyboard. */
export const Json = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it with the arrow keys
  <section className="setting-json" aria-label={label} tabIndex={0}>
    <pre className="setting-json-text">{JSON.stringify(value, null, 2)}</pre>
  </section>
);
