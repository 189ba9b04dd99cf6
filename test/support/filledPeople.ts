import { Browser } from './account.ts';
import { dataOf } from './expect.ts';
import { granted } from './grants.ts';
import { png } from './pictures.ts';
import type { Scene } from './scene.ts';
import { insert } from './sources.ts';
import { upload } from './uploads.ts';
import type { Json, World } from './world.ts';

const DAY_MS = 24 * 60 * 60_000;

/** A time that no test reaches. */
export const FAR_AHEAD = 8_000_000_000_000;

/** Fills the tables for personal state and for the platform: read markers, a draft, a status. */
export async function fillPeople(
  world: World,
  { server, admin }: Scene,
  { channelId, messageId, threadId }: { channelId: string; messageId: string; threadId: string },
): Promise<void> {
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

  const gone = await world.user();
  await world.data.db.write(async (tx) => {
    const [made, node] = [gone.createdAt as number, { id: gone.id as string }];
    const times = { createdAt: made, updatedAt: made };
    const own = { ...times, ...node, serverId: server.id, creatorId: person.id };
    const asked = { channelId: null, state: 'failed', messages: 0, bytes: null } as const;
    await tx.run(insert('export', { ...own, ...asked }));
    const ofPerson = { userId: person.id as string, state: 'deleted', failure: null } as const;
    await tx.run(insert('personExport', { ...times, ...node, ...ofPerson, messages: 0, bytes: null }));
    const archive = {
      source: 'slack',
      newServer: 'Old',
      ownerId: person.id,
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
      log: [{ at: made, text: 'Created' }],
    };
    await tx.run(insert('import', { ...own, ...archive, ...far, ...ends }));
    await tx.run(insert('importPart', { ...times, ...node, importId: node.id, offset: 0, bytes: 5 }));
    await tx.run(
      insert('unfinishedImport', { id: server.id as string, serverId: server.id as string, messages: 1 }),
    );
    const claim = { email: null, source: 'slack', accountId: person.id as string, claimedAt: made };
    await tx.run(
      insert('placeholder', { ...times, ...node, ...claim, mergedAt: made, place: null, serverIds: [] }),
    );
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
    await tx.run(insert('hold', { ...own, ...open, userId: gone.id as string }));
    const kept = { channelId, threadId, isDirect: false, editedAt: null, content: 'zzyzx', deleterId: null };
    const lists = { versions: [{ at: made, content: 'zzyz' }], files: [] };
    const { updatedAt: _updatedAt, ...first } = own;
    await tx.run(insert('keptMessage', { ...first, ...kept, ...lists, deletedAt: made }));
    await tx.run(insert('keptFile', { ...node, keptMessageId: node.id }));
    await tx.run(insert('retention', { id: channelId, serverId: server.id as string, dueAt: FAR_AHEAD }));
    await tx.run(insert('pace', { ...node, channelId, userId: person.id, sentAt: FAR_AHEAD }));
    await tx.run(insert('presenceNode', { ...node, aliveUntil: FAR_AHEAD }));
    await tx.run(insert('nodePerson', { presenceNodeId: node.id, userId: person.id }));
    const place = { pushSubscriptionId: device.id, channelId, serverId: server.id, messageId };
    await tx.run(
      insert('push', { ...place, createdAt: made, isShown: false, attempts: 0, dueAt: FAR_AHEAD }),
    );
    await tx.run(insert('closing', { ...times, id: gone.id, withMessages: false }));
    const mention = { ...node, serverId: server.id, messageId, group: 'role' as const };
    await tx.run(insert('groupMention', { ...mention, roleId: gone.id as string, upTo: gone.id as string }));
    await tx.run(insert('platform', { ...times, id: PLATFORM, settings: { signUp: 'closed' } }));
  });
}

/** The id of the only row in the table `platform`. */
const PLATFORM: Json['id'] = '00000000-0000-7000-8000-000000000001';

/** The keys of a device, from RFC 8291, appendix A. */
export const PUSH_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
