import type { ReactNode, Ref } from 'react';
import { common } from '../strings/en/common.ts';
import { Button } from './Button.tsx';
import { messageOf } from './errors.ts';
import { Icon } from './Icon.tsx';
import './ErrorText.css';

interface ErrorTextProps {
  /** Any thrown value. If it is undefined, nothing is rendered. Alternatively, pass text as `children`. */
  error?: unknown;
  children?: ReactNode;
  /** If set, a retry button is shown. */
  onAgain?: () => void;
  ref?: Ref<HTMLDivElement>;
}

/** An error message, announced by screen readers when it appears. */
export function ErrorText({ error, children, onAgain, ref }: ErrorTextProps) {
  if (error === undefined && !children) return null;
  return (
    <div className="small error-text" role="alert" tabIndex={-1} ref={ref}>
      <Icon name="circle-alert" />
      <span className="error-text-words">{children ?? messageOf(error)}</span>
      {onAgain && (
        <Button size="small" onClick={onAgain}>
          {common.tryAgain}
        </Button>
      )}
    </div>
  );
}
