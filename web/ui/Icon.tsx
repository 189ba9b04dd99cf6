import { type IconName, icons } from './icons.ts';
import './Icon.css';

interface IconProps {
  name: IconName;
  /** Pixels; 18 unless told. */
  size?: number;
}

/** They point to where reading goes or comes from, or draw lines of text: mirrored from right to left. */
const directed = /-(left|right|in|out|horizontal|link)$|^(list|reply|external)/;

/** A picture for the eye alone: what it means stands beside it, or is the label of its button. */
export const Icon = ({ name, size = 18 }: IconProps) => (
  <svg
    className={directed.test(name) ? 'icon icon-directed' : 'icon'}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    aria-hidden="true"
  >
    <path d={icons[name]} />
  </svg>
);
