import type { ReactNode } from 'react';
import { names } from './names.ts';
import './Badge.css';

interface BadgeProps {
  /** `plain`, a semantic colour, or `count` for a number of unread items. */
  kind?: 'plain' | 'accent' | 'good' | 'warm' | 'bad' | 'blue' | 'count';
  /** The meaning of the number, for screen readers: "3 mentions". */
  label?: string;
  children: ReactNode;
}

/** A word or number next to a name. */
export const Badge = ({ kind = 'plain', label, children }: BadgeProps) => (
  <span className={names('badge', `badge-${kind}`)}>
    <span aria-hidden={label ? true : undefined}>{children}</span>
    {label && <span className="only-read">{label}</span>}
  </span>
);
