import { hash } from 'node:crypto';
import { device } from '../accounts/fields.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { type AllowedHosts, refusalOf } from '../lib/allowedHosts.ts';
import { Type } from '../lib/schema.ts';
import { sealDevice } from '../lib/webPush/device.ts';
import { areKeys } from '../lib/webPush/encrypt.ts';
import { act } from '../operations/act.ts';
import { sessionOf } from '../operations/call.ts';
import { body, flag, optional, record, text } from '../operations/fields.ts';
import { read } from '../operations/read.ts';
import { write } from '../operations/write.ts';
import { load, ownTarget, recordOf, touched } from './common.ts';
import { listById } from './lists.ts';

/**
 * Maximum devices per person. Beyond the limit, a new device replaces the one that subscribed least recently.
 */
const MAX_DEVICES = 20;

const pushSubscription = record('PushSubscription', {
  device,
  maySilence: flag('Whether the browser accepts silent pushes, which show no notification'),
  isCurrent: flag('Whether the session of this request subscribed', true),
});
const toRecord = recordOf(pushSubscription);

type Row = RowOf<'pushSubscription'> & Pick<RowOf<'session'>, 'device'>;

const toListed = (row: Row, sessionId: string | undefined) =>
  toRecord({ ...row, isCurrent: row.sessionId === sessionId });

const withDevice = q
  .selectFrom('pushSubscription')
  .innerJoin('session', 'session.id', 'pushSubscription.sessionId')
  .selectAll('pushSubscription')
  .select('session.device');

/**
 * Throws INVALID_REQUEST for an endpoint that contains credentials or, unless private addresses are allowed,
 * is not on a public host or does not use TLS.
 */
function requireEndpoint(endpoint: string, hosts: AllowedHosts): void {
  const { protocol, username, password, hostname } = new URL(endpoint);
  if (protocol !== 'https:' && !hosts.allowPrivate)
    throw invalid('refused_address', 'endpoint', 'must start with https://');
  if (username || password)
    throw invalid('refused_address', 'endpoint', 'must not contain a username or password');
  const refusal = refusalOf(hostname, hosts);
  if (refusal) throw invalid('refused_address', 'endpoint', refusal);
}

export const pushSubscriptionOperations = [
  read({
    operation: 'pushSubscriptions',
    people: true,
    path: '/push-subscriptions',
    tag: 'pushSubscription',
    summary: 'List your devices with push notifications',
    description: 'Returns the newest devices first. A device is listed until its session ends.',
    visible: 'self',
    answer: pushSubscription,
    list: 'many',
    target: ownTarget,
    run(call, input) {
      const { db, principal } = call;
      const sessionId = sessionOf(call)?.id;
      const rows = withDevice.where('pushSubscription.userId', '=', principal.userId);
      return listById(db, rows, input, (row: Row) => toListed(row, sessionId), 'desc', 'pushSubscription.id');
    },
  }),

  act({
    operation: 'pushSubscriptionInsert',
    people: true,
    path: '/push-subscriptions',
    resource: 'pushSubscription',
    verb: 'insert',
    summary: 'Turn on push notifications for a device',
    description: `Send what \`PushManager.subscribe\` returned for the \`pushKey\` from \`GET /api/people/me\`. Sending the same endpoint again updates its subscription. A subscription belongs to the session that sent it last, and is deleted with that session. A person can have up to ${MAX_DEVICES} devices; another one replaces the oldest.`,
    body: body({
      endpoint: Type.String({
        format: 'uri',
        pattern: '^[hH][tT][tT][pP][sS]?://',
        maxLength: 2048,
        description: "The push service's URL for this device. Its address must be public",
        examples: ['https://push.example.com/send/9f86d081'],
      }),
      keys: Type.Object(
        {
          p256dh: text({
            max: 100,
            description: 'The public key of the device, in base64url',
            examples: [
              'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            ],
          }),
          auth: text({
            max: 100,
            description: 'The authentication secret of the device, in base64url',
            examples: ['BTBZMqHH6r4Tts7J_aSIgg'],
          }),
        },
        { additionalProperties: true },
      ),
      maySilence: optional(
        flag(
          'Whether the browser accepts silent pushes, which show no notification. Set it only if silent pushes do not end the subscription. Notifications are then closed once their messages are read elsewhere',
        ),
      ),
    }),
    answer: pushSubscription,
    check({ body: { keys } }) {
      if (!areKeys(keys)) throw invalid('wrong_form', 'keys', 'must be the keys of a push subscription');
    },
    async run(call, { body: { endpoint, keys, maySilence = false } }) {
      const { services, language, principal } = call;
      requireEndpoint(endpoint, services.pushHosts);
      const { userId } = principal;
      const digest = hash('sha256', endpoint, 'hex');
      const sessionId = sessionOf(call)?.id as string;
      const data = await call.writeOnAccount(userId, async ({ db, now, newRow }) => {
        // Another person may be subscribing in the same browser at the same time.
        await db.hold(`push ${digest}`);
        const { device } = await load(db, 'session', sessionId);
        const known = await db.first(find('pushSubscription', { digest }));
        // From now on, the browser gets only the notifications of the person who is signed in.
        if (known && known.userId !== userId) await db.run(remove('pushSubscription', { id: known.id }));
        const own = await db.all(find('pushSubscription', { userId }));
        const found = own.find((row) => row.digest === digest);
        const row = found ?? { ...newRow(), userId, digest };
        const sealed = sealDevice(services.seal, row.id, { endpoint, keys });
        const fields = { sessionId, sealed, language, maySilence, silenced: 0 };
        if (found) {
          const set = { ...fields, updatedAt: touched(found, now) };
          await db.run(update('pushSubscription', found.id, set));
          return toListed({ ...found, ...set, device }, sessionId);
        }
        const oldestLast = own.toSorted((one, other) => other.updatedAt - one.updatedAt);
        for (const { id } of oldestLast.slice(MAX_DEVICES - 1))
          await db.run(remove('pushSubscription', { id }));
        await db.run(insert('pushSubscription', { ...row, ...fields }));
        return toListed({ ...row, ...fields, device }, sessionId);
      });
      return { data };
    },
  }),

  write({
    operation: 'pushSubscriptionDelete',
    people: true,
    path: '/push-subscriptions/:id',
    resource: 'pushSubscription',
    verb: 'delete',
    summary: 'Turn off push notifications for a device',
    answer: pushSubscription,
    async target({ db }, { params }) {
      const found = await load(db, 'pushSubscription', params.id);
      return { serverId: null, ownerId: found.userId, found };
    },
    async run(call, _input, { found }) {
      const { db } = call;
      const { device } = await load(db, 'session', found.sessionId);
      await db.run(remove('pushSubscription', { id: found.id }));
      return toListed({ ...found, device }, sessionOf(call)?.id);
    },
  }),
];
