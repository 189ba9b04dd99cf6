import type { ReactNode } from 'react';
import { names } from './names.ts';
import './Badge.css';

interface BadgeProps {
  /** `plain`, or a colour that means something; `count`: a number of news that asks for attention. */
  kind?: 'plain' | 'accent' | 'good' | 'warm' | 'bad' | 'blue' | 'count';
  /** What a number means, for those who hear it: "3 mentions". */
  label?: string;
  children: ReactNode;
}

/** A word or a number beside a name. */
export const Badge = ({ kind = 'plain', label, children }: BadgeProps) => (
  <span className={names('badge', `badge-${kind}`)}>
    <span aria-hidden={label ? true : undefined}>{children}</span>
    {label && <span className="only-read">{label}</span>}
  </span>
);
