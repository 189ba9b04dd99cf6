import './json.css';

/** A value as JSON: to be read, and to be scrolled by the keyboard. */
export const Json = ({ value, label }: { value: unknown; label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it by the arrow keys
  <section className="setting-json" aria-label={label} tabIndex={0}>
    <pre className="setting-json-text">{JSON.stringify(value, null, 2)}</pre>
  </section>
);
