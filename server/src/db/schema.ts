import type { Insertable, Selectable } from 'kysely';
import type { Migration } from './migrate.ts';
import initial from './migrations/0001-initial.ts';
import feed from './migrations/0002-feed.ts';
import sweeps from './migrations/0003-sweeps.ts';
import logs from './migrations/0004-logs.ts';
import search from './migrations/0005-search.ts';
import quotas from './migrations/0006-quotas.ts';
import rights from './migrations/0007-rights.ts';
import keys from './migrations/0008-keys.ts';
import rest from './migrations/0009-rest.ts';
import authority from './migrations/0010-authority.ts';
import searchMerges from './migrations/0011-search-merges.ts';
import lists from './migrations/0012-lists.ts';
import tickets from './migrations/0013-tickets.ts';
import people from './migrations/0014-people.ts';
import attachments from './migrations/0015-attachments.ts';
import authors from './migrations/0016-authors.ts';
import passkeys from './migrations/0017-passkeys.ts';
import mailAndProviders from './migrations/0018-mail-and-providers.ts';
import platformSchema from './migrations/0019-platform.ts';
import reading from './migrations/0020-reading.ts';
import sessionTickets from './migrations/0021-session-tickets.ts';
import pictures from './migrations/0022-pictures.ts';
import { app } from './tables/app.ts';
import { appInstall } from './tables/appInstall.ts';
import { approval } from './tables/approval.ts';
import { attachment } from './tables/attachment.ts';
import { audit } from './tables/audit.ts';
import { authenticationRequest } from './tables/authenticationRequest.ts';
import { channel } from './tables/channel.ts';
import { channelReading } from './tables/channelReading.ts';
import { closing } from './tables/closing.ts';
import { draft } from './tables/draft.ts';
import { event } from './tables/event.ts';
import type { Facts, Table } from './tables/facts.ts';
import { fileRemoval } from './tables/fileRemoval.ts';
import { fileUse } from './tables/fileUse.ts';
import { flow } from './tables/flow.ts';
import { idempotency } from './tables/idempotency.ts';
import { identity } from './tables/identity.ts';
import { indicator } from './tables/indicator.ts';
import { invite } from './tables/invite.ts';
import { keyUse } from './tables/keyUse.ts';
import { lease } from './tables/lease.ts';
import { link } from './tables/link.ts';
import { mail } from './tables/mail.ts';
import { message } from './tables/message.ts';
import { nodePerson } from './tables/nodePerson.ts';
import { notification } from './tables/notification.ts';
import { passkey } from './tables/passkey.ts';
import { person } from './tables/person.ts';
import { picture } from './tables/picture.ts';
import { pin } from './tables/pin.ts';
import { platform } from './tables/platform.ts';
import { presence } from './tables/presence.ts';
import { presenceNode } from './tables/presenceNode.ts';
import { reaction } from './tables/reaction.ts';
import { recoveryCode } from './tables/recoveryCode.ts';
import { role } from './tables/role.ts';
import { secondFactor } from './tables/secondFactor.ts';
import { secret } from './tables/secret.ts';
import { server } from './tables/server.ts';
import { serverBan } from './tables/serverBan.ts';
import { serverMember } from './tables/serverMember.ts';
import { serverReading } from './tables/serverReading.ts';
import { session } from './tables/session.ts';
import { setting } from './tables/setting.ts';
import { sweep } from './tables/sweep.ts';
import { thread } from './tables/thread.ts';
import { threadFollower } from './tables/threadFollower.ts';
import { threadReading } from './tables/threadReading.ts';
import { ticket } from './tables/ticket.ts';
import { usedChallenge } from './tables/usedChallenge.ts';
import { user } from './tables/user.ts';
import { userRole } from './tables/userRole.ts';
import { webhook } from './tables/webhook.ts';
import { webhookDelivery } from './tables/webhookDelivery.ts';
import { webhookState } from './tables/webhookState.ts';

/** Every table, ordered so that rows refer to rows of earlier tables only. */
const rows = {
  setting,
  platform,
  user,
  person,
  identity,
  session,
  link,
  secondFactor,
  recoveryCode,
  passkey,
  usedChallenge,
  approval,
  mail,
  authenticationRequest,
  closing,
  server,
  role,
  channel,
  // After `user`: the search index of members contains the names of their users.
  serverMember,
  serverBan,
  userRole,
  invite,
  app,
  appInstall,
  secret,
  keyUse,
  ticket,
  flow,
  indicator,
  thread,
  threadFollower,
  channelReading,
  threadReading,
  serverReading,
  draft,
  presence,
  presenceNode,
  nodePerson,
  // On SQLite a search shows messages in the order in which they were copied.
  message,
  attachment,
  picture,
  fileRemoval,
  fileUse,
  pin,
  reaction,
  notification,
  event,
  webhook,
  webhookState,
  webhookDelivery,
  idempotency,
  sweep,
  lease,
  audit,
};

/** Every migration, oldest first. Never change a released one; add another. */
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
];

type RowIn<T> = T extends Table<infer R> ? R : never;

/** The row type of each table. */
export type Tables = { [T in TableName]: RowIn<(typeof rows)[T]> };
export type TableName = keyof typeof rows;
/** A row as a query returns it. */
export type RowOf<T extends TableName> = Selectable<Tables[T]>;
/** A row as an insert takes it. */
export type NewRow<T extends TableName> = Insertable<Tables[T]>;

/** The facts of every table. */
export const tables: Readonly<Record<TableName, Facts>> = rows;
export const tableNames = Object.keys(tables) as TableName[];
