import type { MigrationFile } from '../migrate.ts';

// Made by `npm run generate` from the names of the files in this folder.

/** Every migration, oldest first; its number is its place. Never change a released one: add another. */
export const migrationFiles: readonly MigrationFile[] = [
  { name: 'initial', load: () => import('./0001-initial.ts') },
  { name: 'feed', load: () => import('./0002-feed.ts') },
  { name: 'sweeps', load: () => import('./0003-sweeps.ts') },
  { name: 'logs', load: () => import('./0004-logs.ts') },
  { name: 'search', load: () => import('./0005-search.ts') },
  { name: 'quotas', load: () => import('./0006-quotas.ts') },
  { name: 'rights', load: () => import('./0007-rights.ts') },
  { name: 'keys', load: () => import('./0008-keys.ts') },
  { name: 'rest', load: () => import('./0009-rest.ts') },
  { name: 'authority', load: () => import('./0010-authority.ts') },
  { name: 'search-merges', load: () => import('./0011-search-merges.ts') },
  { name: 'lists', load: () => import('./0012-lists.ts') },
  { name: 'tickets', load: () => import('./0013-tickets.ts') },
  { name: 'people', load: () => import('./0014-people.ts') },
  { name: 'attachments', load: () => import('./0015-attachments.ts') },
  { name: 'authors', load: () => import('./0016-authors.ts') },
  { name: 'passkeys', load: () => import('./0017-passkeys.ts') },
  { name: 'mail-and-providers', load: () => import('./0018-mail-and-providers.ts') },
  { name: 'platform', load: () => import('./0019-platform.ts') },
  { name: 'reading', load: () => import('./0020-reading.ts') },
  { name: 'session-tickets', load: () => import('./0021-session-tickets.ts') },
  { name: 'pictures', load: () => import('./0022-pictures.ts') },
  { name: 'sign-in-addresses', load: () => import('./0023-sign-in-addresses.ts') },
];
