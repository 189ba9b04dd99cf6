import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { UniqueViolation } from '../db/contract.ts';
import { find, q } from '../db/statements.ts';
import { Feed } from '../feed/feed.ts';
import { startWebhooks } from '../feed/webhooks/dispatcher.ts';
import { startUpkeep } from '../node/upkeep/index.ts';
import { addChannel } from '../resources/channel.ts';
import { mintKey } from '../resources/secret/mint.ts';
import { addServer } from '../resources/server/index.ts';
import { addUser } from '../resources/user.ts';
import { toWebhook } from '../resources/webhook/record.ts';
import { change, type Data, openData } from './data.ts';
import { takePart } from './nodes.ts';

/** How long a stop waits for clients, in milliseconds, before it hangs up on them, and before it is forced. */
const PATIENCE_MS = 8_000;
const STOP_MS = 9_500;

/** `palaver start`: serves until SIGTERM or SIGINT, then answers what is in flight and exits. */
export async function start(config: Config): Promise<void> {
  const data = await openData(config);
  const logger = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
  const nodes = await takePart(config, data, logger).catch(async (error) => {
    await data.db.close();
    throw error;
  });
  const { limits, proxies, privateWebhooks } = config;
  let stopping = false;
  const feed = new Feed(data.db, data.deps, nodes.relay);
  const isStopping = () => stopping;
  const app = await buildApp({
    ...data,
    ...nodes,
    feed,
    limits,
    logger,
    proxies,
    privateWebhooks,
    isStopping,
  });
  const address = await app.listen({ port: config.port, host: config.host });
  // Once it listens: a port that is taken must not cost the key.
  const first = await firstRun(data).catch(async (error) => {
    // It serves already, and nobody would be told where.
    await app.close();
    nodes.leave();
    await data.db.close();
    throw error;
  });
  const webhooks = startWebhooks({ ...data, feed, allowPrivate: privateWebhooks, shown: toWebhook }, logger);
  const stopUpkeep = startUpkeep({ ...data, feed, eventDays: config.eventDays }, logger);

  const drained = new AbortController();
  const stop = async (signal: string) => {
    // Who asks twice does not want to wait.
    if (stopping) return drained.abort();
    stopping = true;
    logger.info({ signal }, 'stopping');
    await sleep(config.drain * 1000, undefined, { signal: drained.signal }).catch(() => {});
    setTimeout(() => process.exit(1), STOP_MS).unref();
    // A connection that has had its answer is idle from then on, and its client may keep it open for long.
    setInterval(() => app.server.closeIdleConnections(), 50).unref();
    setTimeout(() => app.server.closeAllConnections(), PATIENCE_MS).unref();
    const webhooksStopped = webhooks.stop();
    await app.close();
    await webhooksStopped;
    await stopUpkeep();
    nodes.leave();
    await data.db.close();
    logger.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Last: who reads the address may send a signal at once.
  print(address, first);
}

interface FirstRun {
  key: string;
  channelId: string;
}

/** Makes what a new data folder starts with; undefined where there is something already. */
async function firstRun(data: Data): Promise<FirstRun | undefined> {
  const somebody = q.selectFrom('user').select('id').limit(1);
  if (await data.db.read.first(somebody)) return undefined;
  const made = change(data, async (work) => {
    if (await work.db.first(somebody)) return undefined;
    const admin = await addUser(work, {
      username: 'admin',
      name: 'Admin',
      type: 'person',
      platformAdmin: true,
    });
    const { id: serverId } = await addServer(work, { name: 'Palaver', creator: admin });
    const general = await addChannel(work, { serverId, name: 'general', creatorId: admin.id, roleIds: [] });
    await work.emit({ type: 'channel.created', serverId, channelId: general.id, data: general });
    const role = await work.db.first(find('role', { serverId, isCreatorRole: true }));
    const { key, ...secret } = await mintKey(work, {
      serverId,
      name: 'First key',
      roleId: role?.id as string,
      userId: admin.id,
      expiresAt: null,
      creatorId: admin.id,
    });
    await work.emit({ type: 'secret.created', serverId, data: secret });
    return { key, channelId: general.id };
  });
  return made.catch((error) => {
    // Another node that was started at the same moment has made it all.
    if (error instanceof UniqueViolation) return undefined;
    throw error;
  });
}

function print(address: string, first: FirstRun | undefined): void {
  const lines = [`Palaver is running at ${address}`, `The API is described at ${address}/docs`];
  if (first) {
    lines.push(
      '',
      'Your API key, shown this once:',
      '',
      `  ${first.key}`,
      '',
      'Send a first message:',
      '',
      `  curl ${address}/api/v1/messages -H 'Authorization: Bearer ${first.key}' -H 'Content-Type: application/json' -d '{"channelId": "${first.channelId}", "content": "Hello, world"}'`,
      '',
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}
