import { common } from '../strings/en/common.ts';
import './Spinner.css';

/** A turning ring: "Loading…" for those who hear it, unless `label` says more, or is '' where something else says it. */
export const Spinner = ({ label = common.loading, size = 18 }: { label?: string; size?: number }) => (
  <>
    <span className="spinner" style={{ width: size, height: size }} aria-hidden="true" />
    {label && <span className="only-read">{label}</span>}
  </>
);
