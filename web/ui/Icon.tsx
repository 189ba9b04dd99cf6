import { type IconName, icons } from './icons.ts';
import './Icon.css';

interface IconProps {
  name: IconName;
  /** Pixels; 18 unless told. */
  size?: number;
  /** Points to where reading goes, such as an arrow: mirrored from right to left. */
  isDirected?: boolean;
}

/** A picture for the eye alone: what it means stands beside it, or is the label of its button. */
export const Icon = ({ name, size = 18, isDirected }: IconProps) => (
  <svg
    className={isDirected ? 'icon icon-directed' : 'icon'}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    aria-hidden="true"
  >
    <path d={icons[name]} />
  </svg>
);
