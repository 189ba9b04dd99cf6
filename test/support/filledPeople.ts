import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { granted } from './grants.ts';
import { png } from './pictures.ts';
import type { Scene } from './scene.ts';
import { insert, type Tx } from './sources.ts';
import { upload } from './uploads.ts';
import type { Json, World } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A time that no test reaches. */
export const FAR_AHEAD = 8_000_000_000_000;

/** The message that rows refer to, with its channel and thread. */
type Place = Record<'channelId' | 'messageId' | 'threadId', string>;

/** Fills the tables for personal state and for the platform, such as read markers, drafts and imports. */
export async function fillPeople(world: World, scene: Scene, place: Place): Promise<void> {
  const { person, device } = await fillPersonal(world, scene, place);
  const gone = await world.user();
  const serverId = scene.server.id as string;
  const [made, node] = [gone.createdAt as number, { id: gone.id as string }];
  const own = { createdAt: made, updatedAt: made, ...node, serverId, creatorId: person.id as string };
  await world.data.db.write(async (tx) => {
    await insertTransfers(tx, own);
    await insertModeration(tx, own, place);
    await insertPlatform(tx, own, { ...place, deviceId: device.id });
  });
}

/** Fills the tables that a person can fill through the API. Returns the person and their device. */
async function fillPersonal(
  world: World,
  { server, admin }: Scene,
  { channelId, messageId, threadId }: Place,
): Promise<{ person: Json; device: Json }> {
  const icon = Buffer.from(png(60, 40));
  dataOf(await upload(world, admin, icon, 'icon.png', { path: `/servers/${server.id}/icon` }));

  const person = await world.user();
  await world.member(server, person);
  const browser = await Browser.of(world, person, server);
  const marks = [
    { channelId, messageId },
    { threadId, messageId },
  ];
  dataOf(await browser.post('/reading/all', { serverId: server.id }));
  for (const { messageId: _, ...place } of marks)
    dataOf(await browser.post('/reading/unread', { ...place, messageId }));
  dataOf(await browser.post('/reading/marks', { marks }));
  dataOf(await browser.patch('/reading/channel', { channelId, favorite: true }));
  dataOf(await browser.post('/drafts', { channelId, content: 'A thought' }));
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', days: [1, 5] };
  dataOf(await browser.patch('/me', { quietHours, keywords: ['harbour', '東京'] }));
  dataOf(await browser.post('/saved', { messageId, remindAt: Date.now() + DAY_MS }));
  const later = { channelId, content: 'Tomorrow', dueAt: Date.now() + DAY_MS };
  dataOf(await browser.post('/scheduled-messages', later));
  const other = await world.user();
  await world.member(server, other);
  dataOf(await browser.api.post('/conversations', { userIds: [other.id], name: 'Über uns' }));
  dataOf(await browser.post('/blocks', { userId: other.id }));
  dataOf(await browser.send('PATCH', '/presence/me', { status: 'idle', text: 'At sea' }));

  await granted(world, browser, server.id);

  const push = { endpoint: 'https://push.example.com/1', keys: PUSH_KEYS };
  const device = dataOf(await browser.post('/push-subscriptions', push));
  dataOf(await browser.get('/me'));
  dataOf(await browser.patch('/me', { digest: 'mentions' }));

  return { person, device };
}

/** Columns that the rows below have in common. */
interface Own {
  id: string;
  createdAt: number;
  updatedAt: number;
  serverId: string;
  creatorId: string;
}

/** Exports, imports, and the placeholder of an imported person. */
async function insertTransfers(tx: Tx, own: Own): Promise<void> {
  const { id, createdAt, updatedAt, serverId, creatorId } = own;
  const row = { id, createdAt, updatedAt };
  const asked = { channelId: null, state: 'failed', messages: 0, bytes: null } as const;
  await tx.run(insert('export', { ...own, ...asked }));
  const ofPerson = { userId: creatorId, state: 'deleted', failure: null } as const;
  await tx.run(insert('personExport', { ...row, ...ofPerson, messages: 0, bytes: null }));
  const archive = {
    source: 'slack',
    newServer: 'Old',
    ownerId: creatorId,
    name: 'old.zip',
    sha256: null,
  } as const;
  const far = {
    bytes: 10,
    received: 5,
    state: 'uploading',
    isDryRun: true,
    rows: 0,
    totalRows: null,
  } as const;
  const ends = {
    planned: null,
    report: null,
    failure: null,
    log: [{ at: createdAt, text: 'Created' }],
  };
  await tx.run(insert('import', { ...own, ...archive, ...far, ...ends }));
  await tx.run(insert('importPart', { ...row, importId: id, offset: 0, bytes: 5 }));
  await tx.run(insert('unfinishedImport', { id: serverId, serverId, messages: 1 }));
  const claim = { email: null, source: 'slack', accountId: creatorId, claimedAt: createdAt };
  await tx.run(insert('placeholder', { ...row, ...claim, mergedAt: createdAt, place: null, serverIds: [] }));
}

/** Rules for messages, held messages, legal holds with what they keep, and retention. */
async function insertModeration(tx: Tx, own: Own, { channelId, messageId, threadId }: Place): Promise<void> {
  const { id, createdAt, serverId, creatorId } = own;
  await tx.run(insert('wordRule', { ...own, pattern: 'zzyzx', action: 'hold', version: 1 }));
  const held = {
    channelId,
    threadId,
    replyToId: messageId,
    content: 'zzyzx',
    pattern: 'zzyzx',
    roleId: null,
  };
  await tx.run(insert('heldMessage', { ...own, ...held }));
  const open = { endedAt: null, releasedAt: null, until: FAR_AHEAD, channelId: null, reason: 'Case' };
  await tx.run(insert('hold', { ...own, ...open, userId: id }));
  const kept = { channelId, threadId, isDirect: false, editedAt: null, content: 'zzyzx', deleterId: null };
  const lists = { versions: [{ at: createdAt, content: 'zzyz' }], files: [] };
  const { updatedAt: _updatedAt, ...first } = own;
  await tx.run(insert('keptMessage', { ...first, ...kept, ...lists, deletedAt: createdAt }));
  await tx.run(insert('keptFile', { id, keptMessageId: id }));
  await tx.run(insert('retention', { id: channelId, serverId, dueAt: FAR_AHEAD }));
  await tx.run(insert('pace', { id, channelId, userId: creatorId, sentAt: FAR_AHEAD }));
}

/** Presence, pushes, the closing of an account, a group mention, and the settings of the platform. */
async function insertPlatform(
  tx: Tx,
  { id, createdAt, updatedAt, serverId, creatorId }: Own,
  { channelId, messageId, deviceId }: Place & { deviceId: string },
): Promise<void> {
  const times = { createdAt, updatedAt };
  await tx.run(insert('presenceNode', { id, aliveUntil: FAR_AHEAD }));
  await tx.run(insert('nodePerson', { presenceNodeId: id, userId: creatorId }));
  const place = { pushSubscriptionId: deviceId, channelId, serverId, messageId };
  await tx.run(insert('push', { ...place, createdAt, isShown: false, attempts: 0, dueAt: FAR_AHEAD }));
  await tx.run(insert('closing', { ...times, id, withMessages: false }));
  const mention = { id, serverId, messageId, group: 'role' as const };
  await tx.run(insert('groupMention', { ...mention, roleId: id, upTo: id }));
  await tx.run(insert('platform', { ...times, id: PLATFORM, settings: { signUp: 'closed' } }));
}

/** The id of the only row in the table `platform`. */
const PLATFORM: Json['id'] = '00000000-0000-7000-8000-000000000001';

/** The keys of a device, from RFC 8291, appendix A. */
export const PUSH_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
