import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import type { IconName } from './icons.ts';
import './Empty.css';

interface EmptyProps {
  icon: IconName;
  title: string;
  /** What would be here, and how it comes here. */
  text?: ReactNode;
  /** It stands for a whole page: its title is that of the page. */
  isPage?: boolean;
  /** A button that does so. */
  children?: ReactNode;
}

/** Shows where there is nothing yet. */
export const Empty = ({ icon, title, text, isPage, children }: EmptyProps) => (
  <div className="empty">
    <span className="empty-icon">
      <Icon name={icon} size={24} />
    </span>
    {isPage ? <h1 className="empty-title">{title}</h1> : <p className="empty-title">{title}</p>}
    {text && <p className="empty-text">{text}</p>}
    {children && <div className="empty-actions">{children}</div>}
  </div>
);
