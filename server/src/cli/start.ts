import pino from 'pino';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { find, q } from '../db/statements.ts';
import { addChannel } from '../resources/channel.ts';
import { mintKey } from '../resources/secret/mint.ts';
import { addServer } from '../resources/server.ts';
import { addUser } from '../resources/user.ts';
import { startUpkeep } from '../upkeep.ts';
import { change, type Data, openData } from './data.ts';

/** How long a stop may take, in milliseconds, before it is forced. */
const STOP_MS = 9_000;

/** `palaver start`: serves until SIGTERM or SIGINT, then answers what is in flight and exits. */
export async function start(config: Config): Promise<void> {
  const data = await openData(config);
  const logger = pino(
    { level: config.logLevel, base: undefined },
    pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 200 }),
  );
  const app = await buildApp({ ...data, limits: config.limits, logger, proxies: config.proxies });
  const address = await app.listen({ port: config.port, host: config.host });
  // Once it listens: a port that is taken must not cost the key.
  const first = await firstRun(data);
  const stopUpkeep = startUpkeep({ db: data.db, now: data.deps.now, eventDays: config.eventDays }, logger);
  print(address, first);

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), STOP_MS).unref();
    await app.close();
    await stopUpkeep();
    await data.db.close();
    logger.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

interface FirstRun {
  key: string;
  channelId: string;
}

/** Makes what a new data folder starts with; undefined where there is something already. */
export async function firstRun(data: Data): Promise<FirstRun | undefined> {
  return change(data, async (work) => {
    const somebody = await work.db.first(q.selectFrom('user').select('id').limit(1));
    if (somebody) return undefined;
    const admin = await addUser(work, {
      username: 'admin',
      name: 'Admin',
      type: 'person',
      platformAdmin: true,
    });
    const { id: serverId } = await addServer(work, { name: 'Palaver', creatorId: admin.id });
    const general = await addChannel(work, { serverId, name: 'general', creatorId: admin.id, roleIds: [] });
    const role = await work.db.first(find('role', { serverId, isCreatorRole: true }));
    const { key } = await mintKey(work, {
      serverId,
      name: 'First key',
      roleId: role?.id as string,
      userId: admin.id,
      expiresAt: null,
      creatorId: admin.id,
    });
    return { key, channelId: general.id };
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
