import { type Migration, postgresTypes, sqliteTypes } from '../migrate.ts';
import initial from './0001-initial.ts';
import feed from './0002-feed.ts';
import sweeps from './0003-sweeps.ts';
import logs from './0004-logs.ts';
import search from './0005-search.ts';
import quotas from './0006-quotas.ts';
import rights from './0007-rights.ts';
import keys from './0008-keys.ts';
import rest from './0009-rest.ts';
import authority from './0010-authority.ts';
import searchMerges from './0011-search-merges.ts';
import lists from './0012-lists.ts';
import tickets from './0013-tickets.ts';
import people from './0014-people.ts';
import attachments from './0015-attachments.ts';
import authors from './0016-authors.ts';
import passkeys from './0017-passkeys.ts';
import mailAndProviders from './0018-mail-and-providers.ts';
import platformSchema from './0019-platform.ts';
import reading from './0020-reading.ts';
import sessionTickets from './0021-session-tickets.ts';
import pictures from './0022-pictures.ts';
import signInAddresses from './0023-sign-in-addresses.ts';

// Loaded only if the data are not up to date.

export { postgresTypes, sqliteTypes };

/**
 * Every migration, oldest first. Never change a released one; add another, and make its number
 * `schemaVersion` (`version.ts`).
 */
export const migrations: readonly Migration[] = [
  { version: 1, name: 'initial', statements: initial },
  { version: 2, name: 'feed', statements: feed },
  { version: 3, name: 'sweeps', statements: sweeps },
  { version: 4, name: 'logs', statements: logs },
  { version: 5, name: 'search', statements: search },
  { version: 6, name: 'quotas', statements: quotas },
  { version: 7, name: 'rights', statements: rights },
  { version: 8, name: 'keys', statements: keys },
  { version: 9, name: 'rest', statements: rest },
  { version: 10, name: 'authority', statements: authority },
  { version: 11, name: 'search-merges', statements: searchMerges },
  { version: 12, name: 'lists', statements: lists },
  { version: 13, name: 'tickets', statements: tickets },
  { version: 14, name: 'people', statements: people },
  { version: 15, name: 'attachments', statements: attachments },
  { version: 16, name: 'authors', statements: authors },
  { version: 17, name: 'passkeys', statements: passkeys },
  { version: 18, name: 'mail-and-providers', statements: mailAndProviders },
  { version: 19, name: 'platform', statements: platformSchema },
  { version: 20, name: 'reading', statements: reading },
  { version: 21, name: 'session-tickets', statements: sessionTickets },
  { version: 22, name: 'pictures', statements: pictures },
  { version: 23, name: 'sign-in-addresses', statements: signInAddresses },
];
