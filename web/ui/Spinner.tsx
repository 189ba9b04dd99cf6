import { common } from '../strings/en/common.ts';
import './Spinner.css';

/** A spinner. Announced as "Loading…" or as `label`, which is empty if something else announces it. */
export const Spinner = ({ label = common.loading, size = 18 }: { label?: string; size?: number }) => (
  <>
    <span className="spinner" style={{ width: size, height: size }} aria-hidden="true" />
    {label && <span className="only-read">{label}</span>}
  </>
);
