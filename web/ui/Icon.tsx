import { type IconName, icons } from './icons.ts';
import './Icon.css';

interface IconProps {
  name: IconName;
  /** The size in px; 18 by default. */
  size?: number;
}

/**
 * Icons that follow the reading direction or show lines of text. They are mirrored in right-to-left
 * languages.
 */
const directed = /-(left|right|in|out|horizontal|link)$|^(list(?!-o)|reply|external)/;

/** A decorative icon: its meaning is in the text next to it or in the button's label. */
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
