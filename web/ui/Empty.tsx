import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import './Empty.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  /** Describes the content that would be here, and how to add it. */
  text?: ReactNode;
  /** Set if the empty state fills a whole page: its title is then the page's heading. */
  isPage?: boolean;
  /** A button that adds something. */
  children?: ReactNode;
}

/** An empty state. */
export const Empty = ({ icon, title, text, isPage, children }: EmptyProps) => (
  <div className="empty">
    <span className="empty-icon">
      <Icon name={icon} size={24} />
    </span>
    {isPage ? <h1 className="empty-title">{title}</h1> : <p className="empty-title">{title}</p>}
    {text && <p className="small muted empty-text">{text}</p>}
    {children && <div className="empty-actions">{children}</div>}
  </div>
);
