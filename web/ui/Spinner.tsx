import { common } from '../strings/en/common.ts';
import './Spinner.css';

/** A spinner, announced as `label`. Pass an empty label if something else announces that content is loading. */
export const Spinner = ({ label = common.loading, size = 18 }: { label?: string; size?: number }) => (
  <>
    <span className="spinner" style={{ width: size, height: size }} aria-hidden="true" />
    {label && <span className="only-read">{label}</span>}
  </>
);
