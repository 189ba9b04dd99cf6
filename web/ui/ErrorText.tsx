import type { ReactNode, Ref } from 'react';
import { common } from '../strings/en/common.ts';
import { Button } from './Button.tsx';
import { messageOf } from './errors.ts';
import { Icon } from './Icon.tsx';
import './ErrorText.css';

interface ErrorTextProps {
  /** Whatever was thrown; nothing shows while it is undefined. Or a text, as `children`. */
  error?: unknown;
  children?: ReactNode;
  /** Offers to try again. */
  onAgain?: () => void;
  ref?: Ref<HTMLDivElement>;
}

/** Something that went wrong: read out as soon as it appears. */
export function ErrorText({ error, children, onAgain, ref }: ErrorTextProps) {
  if (error === undefined && !children) return null;
  return (
    <div className="error-text" role="alert" tabIndex={-1} ref={ref}>
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
