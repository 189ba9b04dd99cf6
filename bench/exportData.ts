import { createHash, randomFillSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey } from '../server/src/cli/records/key.ts';
import { insert, q } from '../server/src/db/statements.ts';
import { newRow } from '../server/src/lib/deps.ts';
import { type Data, type DataConfig, openData } from '../server/src/node/data.ts';
import { change } from '../server/src/resources/change.ts';
import { addChannel } from '../server/src/resources/channel/change.ts';
import { type FlowServers, makeNeighbour } from './flowData.ts';
import { makeServer } from './made.ts';
import { quick, say } from './report.ts';
import { seedSince } from './seed.ts';

const MB = 1024 * 1024;
export const CHANNELS = 20;
export const MESSAGES = quick ? 50_000 : 1_000_000;
/** The number of files, each of 1 MB. */
export const FILES = quick ? 100 : 2_048;
const DAY_MS = 24 * 60 * 60_000;
/** The server to export, with messages and files, and another server. */
export interface Made {
  serverId: string;
  key: string;
  channelIds: string[];
  neighbour: FlowServers['neighbour'];
  /** The SHA-256 of each file. */
  sums: Set<string>;
}

/** Creates the servers in an empty database. `folder` is for temporary files. */
export async function make(place: DataConfig, folder: string): Promise<Made> {
  const data = await openData(place);
  try {
    const { user, large } = await makeServer(data);
    const { serverId } = large;
    const neighbour = await change(data, (work) => makeNeighbour(work, user.id));
    const { key } = await change(data, (work) =>
      createKey(work, { server: serverId, user: user.id, flags: 'canAdmin' }),
    );
    const channelIds: string[] = [];
    const sums = new Set<string>();
    const each = MESSAGES / CHANNELS;
    const first = Date.now() - 60 * DAY_MS;
    for (let number = 0; number < CHANNELS; number++) {
      const named = { serverId, name: `c${number}`, creatorId: user.id, roleIds: [] };
      const { id } = await change(data, (work) => addChannel(work, named));
      channelIds.push(id);
      const span = { amount: each, from: first + number * each };
      await seedSince(place, { id, serverId }, user.id, span);
      const amount = Math.floor((FILES * (number + 1)) / CHANNELS) - Math.floor((FILES * number) / CHANNELS);
      await addFiles(data, { channelId: id, serverId, creatorId: user.id }, { folder, amount, sums });
      say(`channel ${number + 1} of ${CHANNELS}`);
    }
    return { serverId, key, channelIds, neighbour, sums };
  } finally {
    await data.db.close();
  }
}

/** Adds files of random bytes to some messages in a channel. */
export async function addFiles(
  data: Data,
  of: { channelId: string; serverId: string; creatorId: string },
  { folder, amount, sums }: { folder: string; amount: number; sums: Set<string> },
): Promise<void> {
  const store = await data.files.store;
  const path = join(folder, 'random');
  const messages = await data.db.read.all(
    q.selectFrom('message').select('id').where('channelId', '=', of.channelId).orderBy('id'),
  );
  const step = Math.floor(messages.length / amount);
  for (let number = 0; number < amount; number++) {
    const bytes = randomFillSync(Buffer.allocUnsafe(MB));
    sums.add(createHash('sha256').update(bytes).digest('hex'));
    writeFileSync(path, bytes);
    const row = newRow(data.deps, data.deps.now());
    await store.put(row.id, path, MB);
    const file = { name: `file${number}.bin`, type: 'application/octet-stream', bytes: MB, payerId: null };
    const size = { width: null, height: null, thumbhash: null, previews: [] };
    const messageId = messages[number * step]?.id ?? null;
    await data.db.write((tx) => tx.run(insert('attachment', { ...row, ...of, messageId, ...file, ...size })));
  }
}
