import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useKeptScroll } from '../../keptScroll.ts';
import { Link } from '../../Link.tsx';
import type { Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { ErrorBoundary, Icon, type IconName, List, useMedia, usePageTitle } from '../../ui/index.ts';
import { PageToCome } from './PageToCome.tsx';
import './sections.css';

/** A settings page. */
interface Section {
  id: string;
  label: string;
  icon: IconName;
}

interface SectionsProps {
  title: string;
  /** Content above the list that says whose settings these are. */
  head?: ReactNode;
  /** Content below the list. */
  foot?: ReactNode;
  /** The pages, in groups with or without a heading. */
  groups: readonly { label?: string; sections: readonly Section[] }[];
  /**
   * The open page. If undefined, narrow windows show only the list, and wide windows show the first page
   * next to it.
   */
  open: string | undefined;
  routeOf: (section?: string) => Route;
  /** The link that leaves the settings. */
  back?: { label: string; to: Route };
  children: ReactNode;
}

/** A list of pages and the open one: side by side, or one at a time on a phone. */
export function Sections({ title, head, foot, groups, open, routeOf, back, children }: SectionsProps) {
  const main = useRef<HTMLElement>(null);
  const all = groups.flatMap(({ sections }) => sections);
  const shown = open === undefined ? all[0] : all.find(({ id }) => id === open);
  usePageTitle(shown?.label ?? title);

  useKeptScroll(main, shown?.id ?? '');
  // Moves the focus if navigation hid the focused element, for example on a phone, where the page replaces
  // the list.
  const before = useRef(open);
  useEffect(() => {
    if (before.current === open) return;
    before.current = open;
    if (!document.activeElement?.checkVisibility()) main.current?.focus();
  }, [open]);

  // If no page is open, a phone shows only the list, which is then the main landmark.
  const isListMain = useMedia('(width < 48rem)') && open === undefined;
  return (
    <div
      className="sections"
      data-open={open !== undefined}
      {...(isListMain && { role: 'main', id: 'main', tabIndex: -1 })}
    >
      <nav className="sections-nav" aria-label={title}>
        <Link className="sections-back" to={back?.to ?? { page: 'home' }}>
          <Icon name="arrow-left" />
          {back?.label ?? common.back}
        </Link>
        {head}
        {groups.map(({ label, sections }) => (
          <div key={label ?? title}>
            {label && <p className="tiny muted sections-heading">{label}</p>}
            <List label={label ?? title}>
              {sections.map(({ id, label: text, icon }) => (
                <li key={id}>
                  <Link
                    data-item
                    className="list-item"
                    aria-current={id === shown?.id ? 'page' : undefined}
                    to={routeOf(id)}
                  >
                    <Icon name={icon} />
                    {text}
                  </Link>
                </li>
              ))}
            </List>
          </div>
        ))}
        {foot}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it even if nothing in it can be focused */}
      <main id={isListMain ? undefined : 'main'} className="sections-main" ref={main} tabIndex={0}>
        <Link className="sections-up" to={routeOf()}>
          <Icon name="arrow-left" />
          {title}
        </Link>
        <ErrorBoundary resetOn={shown?.id}>
          <Suspense fallback={<PageToCome title={shown?.label ?? title} />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}
