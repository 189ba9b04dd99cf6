import type { Insertable, Selectable } from 'kysely';
import { app } from './tables/app.ts';
import { appInstall } from './tables/appInstall.ts';
import { approval } from './tables/approval.ts';
import { attachment } from './tables/attachment.ts';
import { audit } from './tables/audit.ts';
import { authenticationRequest } from './tables/authenticationRequest.ts';
import { block } from './tables/block.ts';
import { category } from './tables/category.ts';
import { channel } from './tables/channel.ts';
import { channelMember } from './tables/channelMember.ts';
import { channelReading } from './tables/channelReading.ts';
import { closing } from './tables/closing.ts';
import { command } from './tables/command.ts';
import { departure } from './tables/departure.ts';
import { draft } from './tables/draft.ts';
import { emailDigest } from './tables/emailDigest.ts';
import { emoji } from './tables/emoji.ts';
import { event } from './tables/event.ts';
import { serverExport } from './tables/export.ts';
import type { Facts, Table } from './tables/facts.ts';
import { failure } from './tables/failure.ts';
import { fileRemoval } from './tables/fileRemoval.ts';
import { fileUse } from './tables/fileUse.ts';
import { flow } from './tables/flow.ts';
import { flowRun } from './tables/flowRun.ts';
import { flowState } from './tables/flowState.ts';
import { flowStep } from './tables/flowStep.ts';
import { flowWait } from './tables/flowWait.ts';
import { grant } from './tables/grant.ts';
import { groupMention } from './tables/groupMention.ts';
import { guess } from './tables/guess.ts';
import { heldMessage } from './tables/heldMessage.ts';
import { history } from './tables/history.ts';
import { hold } from './tables/hold.ts';
import { idempotency } from './tables/idempotency.ts';
import { identity } from './tables/identity.ts';
import { serverImport } from './tables/import.ts';
import { importPart } from './tables/importPart.ts';
import { indicator } from './tables/indicator.ts';
import { interaction } from './tables/interaction.ts';
import { invitation } from './tables/invitation.ts';
import { invite } from './tables/invite.ts';
import { keptFile } from './tables/keptFile.ts';
import { keptMessage } from './tables/keptMessage.ts';
import { keyUse } from './tables/keyUse.ts';
import { keywordList } from './tables/keywordList.ts';
import { lease } from './tables/lease.ts';
import { link } from './tables/link.ts';
import { mail } from './tables/mail.ts';
import { message } from './tables/message.ts';
import { messageStream } from './tables/messageStream.ts';
import { messageVersion } from './tables/messageVersion.ts';
import { nodePerson } from './tables/nodePerson.ts';
import { notification } from './tables/notification.ts';
import { pace } from './tables/pace.ts';
import { passkey } from './tables/passkey.ts';
import { person } from './tables/person.ts';
import { personExport } from './tables/personExport.ts';
import { personUse } from './tables/personUse.ts';
import { picture } from './tables/picture.ts';
import { pin } from './tables/pin.ts';
import { placeholder } from './tables/placeholder.ts';
import { platform } from './tables/platform.ts';
import { presence } from './tables/presence.ts';
import { presenceNode } from './tables/presenceNode.ts';
import { push } from './tables/push.ts';
import { pushKey } from './tables/pushKey.ts';
import { pushSubscription } from './tables/pushSubscription.ts';
import { reaction } from './tables/reaction.ts';
import { recoveryCode } from './tables/recoveryCode.ts';
import { report } from './tables/report.ts';
import { retention } from './tables/retention.ts';
import { role } from './tables/role.ts';
import { saved } from './tables/saved.ts';
import { scheduledMessage } from './tables/scheduledMessage.ts';
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
import { timer } from './tables/timer.ts';
import { unfinishedImport } from './tables/unfinishedImport.ts';
import { usedChallenge } from './tables/usedChallenge.ts';
import { user } from './tables/user.ts';
import { userRole } from './tables/userRole.ts';
import { webhook } from './tables/webhook.ts';
import { webhookBody } from './tables/webhookBody.ts';
import { webhookDelivery } from './tables/webhookDelivery.ts';
import { webhookState } from './tables/webhookState.ts';
import { wordRule } from './tables/wordRule.ts';

/** Every table, ordered so that foreign keys reference only earlier tables. */
const rows = {
  setting,
  platform,
  user,
  person,
  identity,
  session,
  pushKey,
  pushSubscription,
  push,
  emailDigest,
  link,
  secondFactor,
  recoveryCode,
  pace,
  passkey,
  usedChallenge,
  approval,
  history,
  mail,
  authenticationRequest,
  closing,
  server,
  role,
  category,
  emoji,
  groupMention,
  channel,
  channelMember,
  wordRule,
  heldMessage,
  export: serverExport,
  personExport,
  retention,
  hold,
  keptMessage,
  keptFile,
  block,
  serverMember,
  serverBan,
  departure,
  userRole,
  invite,
  invitation,
  app,
  appInstall,
  secret,
  keyUse,
  keywordList,
  grant,
  ticket,
  command,
  flow,
  flowState,
  flowRun,
  flowStep,
  flowWait,
  import: serverImport,
  importPart,
  indicator,
  thread,
  threadFollower,
  channelReading,
  threadReading,
  serverReading,
  draft,
  scheduledMessage,
  saved,
  timer,
  unfinishedImport,
  placeholder,
  presence,
  presenceNode,
  nodePerson,
  message,
  messageStream,
  messageVersion,
  attachment,
  picture,
  fileRemoval,
  fileUse,
  personUse,
  pin,
  interaction,
  report,
  reaction,
  notification,
  event,
  webhook,
  webhookBody,
  webhookState,
  webhookDelivery,
  guess,
  idempotency,
  sweep,
  failure,
  lease,
  audit,
};

type RowIn<T> = T extends Table<infer R> ? R : never;

/** The row type of each table. */
export type Tables = { [T in TableName]: RowIn<(typeof rows)[T]> };
export type TableName = keyof typeof rows;
/** A row as returned by a query. */
export type RowOf<T extends TableName> = Selectable<Tables[T]>;
/** A row as passed to an insert. */
export type NewRow<T extends TableName> = Insertable<Tables[T]>;

/** The facts about every table. */
export const tables: Readonly<Record<TableName, Facts>> = rows;
export const tableNames = Object.keys(tables) as TableName[];
