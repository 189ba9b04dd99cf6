import { lazy, Suspense } from 'react';
import { Spinner } from '../../ui/index.ts';
import type { SidePanelProps } from './props.ts';
import './SidePanel.css';

const Panels = lazy(() => import('./Panels.tsx'));

/** What is open beside a channel: a thread, its pins, the members, a search, the inbox. */
export const SidePanel = (props: SidePanelProps) => (
  <Suspense
    fallback={
      <div className="side-panel-waiting">
        <Spinner />
      </div>
    }
  >
    <Panels {...props} />
  </Suspense>
);
