import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/index.ts';
import './page.css';

interface NoteProps {
  icon?: IconName;
  /** It came while the page was open, and is read out. */
  isNews?: boolean;
  children: ReactNode;
}

/** A word on the page that nobody should miss. */
export const Note = ({ icon = 'triangle-alert', isNews, children }: NoteProps) => (
  <p className="setting-note" role={isNews ? 'status' : undefined}>
    <Icon name={icon} />
    <span>{children}</span>
  </p>
);
