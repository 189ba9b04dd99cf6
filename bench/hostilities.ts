import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Hostile, inParallel } from '../test/support/hostile.ts';
import { Receiver } from '../test/support/receiver.ts';
import { CONTENT } from './report.ts';
import type { Tenants } from './tenantData.ts';

/** The hostile tenant's data, and keys of members who have not sent any requests yet. */
export interface Camp {
  tenants: Tenants;
  /** Returns the key of a different person on each call. */
  person(): string;
}

/** An attack that a tenant can attempt within the default limits. */
interface Hostility {
  name: string;
  /**
   * A status that must occur among the responses, as proof that the attack took place. `undefined` if the attack
   * reads no responses.
   */
  status?: number;
  /** Prepares the attack before the measurement. Returns the attack and the cleanup. */
  prepare(hostile: Hostile, camp: Camp): Promise<{ act(): Promise<unknown>; end?(): Promise<void> }>;
}

/** READS, SENDS and WRITES are the default limits per person and window, from `limits/table.ts`. */
const READS = 60;
const SENDS = 30;
const WRITES = 60;
const DOCUMENTS = 300;
const HEADS = 2_000;
const AT_ONCE = 60;
const STREAM_PEOPLE = 18;
const MINTING_PEOPLE = 2;
const MINTED_EACH = 50;
/** The default quota of webhooks per server. */
const WEBHOOKS = 20;
/** The response time of the receivers, in milliseconds. */
const SLOW_MS = 2_000;

const PREFIXES = [...'abcdefghijklmnopqrstuvwxyz012345'].join('+');

/** An attack with concurrent reads. */
const reads = (name: string, status: number, pathOf: (tenants: Tenants) => string): Hostility => ({
  name,
  status,
  async prepare(hostile, { tenants, person }) {
    const key = person();
    return { act: () => hostile.getAtOnce(READS, pathOf(tenants), key) };
  },
});

/** Deletes one record. */
const deletion = (what: string, pathOf: (doomed: Tenants['hostile']['doomed']) => string): Hostility => ({
  name: `deletion of a ${what}`,
  status: 200,
  async prepare(hostile, { tenants, person }) {
    const key = person();
    return { act: () => hostile.ask('DELETE', pathOf(tenants.hostile.doomed), key) };
  },
});

const send = (hostile: Hostile, channelId: string, key: string) =>
  hostile.ask('POST', '/messages', key, { channelId, content: CONTENT });

export const hostilities: readonly Hostility[] = [
  {
    name: `${READS} GET requests for a thread with 200 replies of 32 KB, never read`,
    status: 200,
    async prepare(hostile, { tenants, person }) {
      const path = `/threads/${tenants.hostile.largeThreadId}`;
      // Fails if the requests would be rejected.
      await hostile.ask('GET', path, person());
      const key = person();
      return { act: () => hostile.hold(READS, `/api/v1${path}`, key) };
    },
  },
  {
    name: `${DOCUMENTS} GET requests for the OpenAPI document, never read`,
    prepare: async (hostile) => ({ act: () => hostile.hold(DOCUMENTS, '/openapi.json') }),
  },
  reads(
    `${READS} concurrent searches in a channel of another server, rejected`,
    403,
    ({ neighbour }) => `/channels/${neighbour.channelId}/messages?q=the+quick+q&limit=100`,
  ),
  reads(
    `${READS} concurrent searches for 32 one-letter prefixes`,
    200,
    ({ hostile }) => `/channels/${hostile.channelId}/messages?q=${PREFIXES}&limit=100`,
  ),
  reads(
    `${READS} concurrent requests for a page of events, with a filter that matches nothing in a long log`,
    200,
    () => '/events?types=flow.*&limit=100',
  ),
  {
    name: `${HEADS.toLocaleString('en')} HEAD requests for the stream, ${AT_ONCE} concurrent`,
    status: 404,
    async prepare(hostile, { person }) {
      const key = person();
      const head = () => hostile.ask('HEAD', '/events', key);
      return { act: () => inParallel(HEADS, AT_ONCE, head) };
    },
  },
  deletion('channel with many messages', ({ channelId }) => `/channels/${channelId}`),
  deletion('role with many members', ({ roleId }) => `/roles/${roleId}`),
  deletion('thread with many replies', ({ threadId }) => `/threads/${threadId}`),
  {
    name: `${2 * WRITES} concurrent small updates of an app with 60 KB of metadata`,
    status: 200,
    async prepare(hostile, { tenants, person }) {
      const keys = [person(), person()];
      const update = (index: number) =>
        hostile.ask('PATCH', `/apps/${tenants.hostile.appId}`, keys[index % 2] as string, {
          version: `1.${index}`,
        });
      return { act: () => inParallel(2 * WRITES, 2 * WRITES, update) };
    },
  },
  {
    name: `${STREAM_PEOPLE} people open ${READS} streams each, and one sends ${SENDS} messages`,
    status: 200,
    async prepare(hostile, { tenants, person }) {
      const keys = Array.from({ length: STREAM_PEOPLE }, person);
      const act = async () => {
        await Promise.all(keys.map((key) => hostile.hold(READS, '/api/v1/events', key, true)));
        await inParallel(SENDS, SENDS, () => send(hostile, tenants.hostile.channelId, keys[0] as string));
      };
      return { act };
    },
  },
  {
    name: `${MINTING_PEOPLE} people create ${MINTED_EACH} agents each, and each agent sends ${SENDS} messages`,
    status: 200,
    async prepare(hostile, { tenants, person }) {
      const people = Array.from({ length: MINTING_PEOPLE }, person);
      const agents: string[] = [];
      const mint = async (index: number) => {
        const body = { kind: 'apiKey', name: `Agent ${index}` };
        const made = await hostile.ask('POST', '/secrets', people[index % MINTING_PEOPLE] as string, body);
        agents.push(made.key);
      };
      const act = async () => {
        await inParallel(MINTING_PEOPLE * MINTED_EACH, AT_ONCE, mint);
        await inParallel(agents.length * SENDS, AT_ONCE, (index) =>
          send(hostile, tenants.hostile.channelId, agents[index % agents.length] as string),
        );
      };
      return { act };
    },
  },
  {
    name: `13 servers with ${WEBHOOKS} webhooks each, whose receivers take ${SLOW_MS / 1_000} s, and ${SENDS} messages per server`,
    status: 200,
    async prepare(hostile, { tenants }) {
      const { servers } = tenants.hostile;
      const receiver = await Receiver.open();
      receiver.otherwise = (response: ServerResponse) => {
        setTimeout(() => response.writeHead(200).end(), SLOW_MS).unref();
      };
      const made: { id: string; key: string }[] = [];
      await inParallel(servers.length * WEBHOOKS, AT_ONCE, async (index) => {
        const { key } = servers[index % servers.length] as (typeof servers)[0];
        const { id } = await hostile.ask('POST', '/webhooks', key, { url: receiver.url });
        made.push({ id, key });
      });
      const act = () =>
        inParallel(servers.length * SENDS, AT_ONCE, (index) => {
          const { channelId, key } = servers[index % servers.length] as (typeof servers)[0];
          return send(hostile, channelId, key);
        });
      const end = async () => {
        await inParallel(made.length, AT_ONCE, (index) => {
          const { id, key } = made[index] as (typeof made)[0];
          return hostile.ask('DELETE', `/webhooks/${id}`, key);
        });
        await sleep(SLOW_MS);
        await receiver.close();
      };
      return { act, end };
    },
  },
];
