import { type ComponentType, lazy } from 'react';
import type { IconName } from '../../ui/index.ts';
import type { SectionProps } from '../settings/server/index.ts';

/** A section, with its name in the URL and its lazily loaded page. */
export interface Section {
  id: SectionId;
  icon: IconName;
  Page: ComponentType<SectionProps>;
}

type SectionId =
  | 'overview'
  | 'channels'
  | 'roles'
  | 'emoji'
  | 'invites'
  | 'members'
  | 'bans'
  | 'reports'
  | 'held'
  | 'words'
  | 'keys'
  | 'webhooks'
  | 'apps'
  | 'flows'
  | 'audit'
  | 'usage'
  | 'exports'
  | 'danger';

type GroupId = 'server' | 'people' | 'programs' | 'records';

/** All sections in navigation order. Each is loaded on first use. */
export const groups: readonly { id: GroupId; sections: readonly Section[] }[] = [
  {
    id: 'server',
    sections: [
      { id: 'overview', icon: 'settings', Page: lazy(() => import('../server/overview/index.tsx')) },
      { id: 'channels', icon: 'hash', Page: lazy(() => import('../channel/settings/index.tsx')) },
      { id: 'roles', icon: 'shield', Page: lazy(() => import('../role/settings/index.tsx')) },
      { id: 'emoji', icon: 'smile', Page: lazy(() => import('../customEmoji/settings/index.tsx')) },
    ],
  },
  {
    id: 'people',
    sections: [
      { id: 'members', icon: 'users', Page: lazy(() => import('../member/settings/index.tsx')) },
      { id: 'invites', icon: 'ticket', Page: lazy(() => import('../invite/settings/index.tsx')) },
      { id: 'bans', icon: 'ban', Page: lazy(() => import('../ban/settings/index.tsx')) },
      { id: 'reports', icon: 'flag', Page: lazy(() => import('../report/settings/index.tsx')) },
      { id: 'held', icon: 'clock', Page: lazy(() => import('../heldMessage/settings/index.tsx')) },
      { id: 'words', icon: 'list', Page: lazy(() => import('../wordRule/settings/index.tsx')) },
    ],
  },
  {
    id: 'programs',
    sections: [
      { id: 'keys', icon: 'key-round', Page: lazy(() => import('../key/settings/index.tsx')) },
      { id: 'webhooks', icon: 'webhook', Page: lazy(() => import('../webhook/settings/index.tsx')) },
      { id: 'apps', icon: 'plug', Page: lazy(() => import('../app/settings/index.tsx')) },
      { id: 'flows', icon: 'zap', Page: lazy(() => import('../flow/settings/index.tsx')) },
    ],
  },
  {
    id: 'records',
    sections: [
      { id: 'audit', icon: 'list', Page: lazy(() => import('../audit/settings/index.tsx')) },
      { id: 'usage', icon: 'activity', Page: lazy(() => import('../usage/settings/index.tsx')) },
      { id: 'exports', icon: 'archive', Page: lazy(() => import('../export/settings/index.tsx')) },
      { id: 'danger', icon: 'triangle-alert', Page: lazy(() => import('../server/danger/index.tsx')) },
    ],
  },
];

export const sections: readonly Section[] = groups.flatMap((group) => group.sections);
