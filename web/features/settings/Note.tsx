import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/index.ts';
import './page.css';

interface NoteProps {
  icon?: IconName;
  /** True if the note appeared after the page loaded. It is then a live region. */
  isNews?: boolean;
  children: ReactNode;
}

/** A highlighted note on the page. */
export const Note = ({ icon = 'triangle-alert', isNews, children }: NoteProps) => (
  <p className="setting-note" role={isNews ? 'status' : undefined}>
    <Icon name={icon} />
    <span>{children}</span>
  </p>
);
