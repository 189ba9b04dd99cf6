import { type ReactNode, useEffect, useRef } from 'react';
import { base } from '../../../api/base.ts';
import { session as t } from '../../../strings/en/session.ts';
import { Icon, type IconName, usePageTitle } from '../../../ui/index.ts';
import { Brand } from './Brand.tsx';
import './Gate.css';

interface GateProps {
  title: string;
  /** The title with markup, if it contains names. */
  heading?: ReactNode;
  /** A sentence below the title. */
  lead?: ReactNode;
  icon?: IconName;
  /** A server's icon, shown instead of `icon`. */
  picture?: ReactNode;
  /** A line below the card, such as a link to another page. */
  aside?: ReactNode;
  children?: ReactNode;
}

/** A page with a single task: a centred card whose title is also the title of the tab. */
export function Gate({ title, heading = title, lead, icon, picture, aside, children }: GateProps) {
  const card = useRef<HTMLDivElement>(null);
  usePageTitle(title);

  // Focuses the first field. On a phone, focuses the title instead, which screen readers then announce,
  // because focusing a field would open the keyboard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means a new page
  useEffect(() => {
    const element = card.current;
    const field = matchMedia('(pointer: coarse)').matches
      ? null
      : element?.querySelector<HTMLElement>('[autofocus], input[data-first]');
    (field ?? element?.querySelector<HTMLElement>('h1'))?.focus();
  }, [title]);

  return (
    <div className="gate">
      <Brand />
      <main className="gate-main">
        <div className="stack gate-card" ref={card}>
          {picture ??
            (icon && (
              <span className="gate-icon">
                <Icon name={icon} size={22} />
              </span>
            ))}
          <h1 className="gate-title" tabIndex={-1}>
            {heading}
          </h1>
          {lead && <p className="gate-lead">{lead}</p>}
          {children}
        </div>
        {aside && <div className="gate-aside">{aside}</div>}
      </main>
      <Foot />
    </div>
  );
}

/** Links to the guides and the developer page. */
export const Foot = () => (
  <footer className="small gate-foot">
    <a href={`${base}/docs/`}>{t.docs}</a>
    <a href={`${base}/docs/start`}>{t.developers}</a>
  </footer>
);
