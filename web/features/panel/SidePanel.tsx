import { Suspense } from 'react';
import { Spinner } from '../../ui/index.ts';
import { optional } from '../../ui/missingPart.ts';
import type { SidePanelProps } from './props.ts';
import './SidePanel.css';

const Panels = optional(() => import('./Panels.tsx'));

/** The panel next to a channel: a thread, the list of threads, pins, members, search or the inbox. */
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
