import { type ComponentType, lazy } from 'react';
import type { IconName } from '../../ui/index.ts';
import type { SectionProps } from './parts/sectionProps.ts';

/** A section: its name in the address, and the chunk that has it. */
export interface Section {
  id: SectionId;
  icon: IconName;
  Page: ComponentType<SectionProps>;
}

type SectionId =
  | 'overview'
  | 'channels'
  | 'roles'
  | 'invites'
  | 'members'
  | 'bans'
  | 'keys'
  | 'webhooks'
  | 'apps'
  | 'flows'
  | 'audit'
  | 'usage'
  | 'danger';

type GroupId = 'server' | 'people' | 'programs' | 'records';

/** All sections, in the order of the navigation. Each is loaded when it is first opened. */
export const groups: readonly { id: GroupId; sections: readonly Section[] }[] = [
  {
    id: 'server',
    sections: [
      { id: 'overview', icon: 'settings', Page: lazy(() => import('./overview/index.tsx')) },
      { id: 'channels', icon: 'hash', Page: lazy(() => import('./channels/index.tsx')) },
      { id: 'roles', icon: 'shield', Page: lazy(() => import('./roles/index.tsx')) },
    ],
  },
  {
    id: 'people',
    sections: [
      { id: 'members', icon: 'users', Page: lazy(() => import('./members/index.tsx')) },
      { id: 'invites', icon: 'ticket', Page: lazy(() => import('./invites/index.tsx')) },
      { id: 'bans', icon: 'ban', Page: lazy(() => import('./bans/index.tsx')) },
    ],
  },
  {
    id: 'programs',
    sections: [
      { id: 'keys', icon: 'key-round', Page: lazy(() => import('./keys/index.tsx')) },
      { id: 'webhooks', icon: 'webhook', Page: lazy(() => import('./webhooks/index.tsx')) },
      { id: 'apps', icon: 'plug', Page: lazy(() => import('./apps/index.tsx')) },
      { id: 'flows', icon: 'zap', Page: lazy(() => import('./flows/index.tsx')) },
    ],
  },
  {
    id: 'records',
    sections: [
      { id: 'audit', icon: 'list', Page: lazy(() => import('./audit/index.tsx')) },
      { id: 'usage', icon: 'activity', Page: lazy(() => import('./usage/index.tsx')) },
      { id: 'danger', icon: 'triangle-alert', Page: lazy(() => import('./danger/index.tsx')) },
    ],
  },
];

export const sections: readonly Section[] = groups.flatMap((group) => group.sections);
