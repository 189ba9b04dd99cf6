import type { ReadArchive, SourceName } from './row.ts';

/** The readers of archives. Each is loaded on the first import from its source. */
export const readers = {
  palaver: () => import('./palaver/index.ts'),
  slack: () => import('./slack/index.ts'),
  discord: () => import('./discord/index.ts'),
  mattermost: () => import('./mattermost/index.ts'),
  zulip: () => import('./zulip/index.ts'),
  rocketchat: () => import('./rocketchat/index.ts'),
} as const satisfies Record<SourceName, () => Promise<{ default: ReadArchive }>>;
