import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Browser, giveAccount, linkFor } from './account.ts';
import { askData } from './askData.ts';
import { dataOf } from './expect.ts';
import { schemaOf } from './foundSchema.ts';
import { channelOf, exportOf, idAt, moving } from './moving.ts';
import { Stage } from './process.ts';
import { change, claimUser, find, update } from './sources.ts';
import { type Client, type Json, listAll, World } from './world.ts';

const now = Date.now();
const at = now - 900_000;

export type MergeScene = Awaited<ReturnType<typeof openMergeScene>>;

/** A world with imported people, and the job that merges them into accounts. */
export async function openMergeScene() {
  const stage = new Stage();
  const world = await World.open();
  const owner = await giveAccount(world, await world.user({ username: 'owner' }));
  let number = 0;
  /** A server with an imported archive. */
  async function scene() {
    const archive = archiveOf(++number);
    const server = await world.server(owner);
    const admin = await world.client(server, ['canAdmin'], owner);
    const path = exportOf(join(stage.folder(), 'export'), archive.rows);
    const again = () => moving(stage, world, 'import', path, '--from', 'palaver', '--server', server.id);
    const done = await again();
    assert.equal(done.code, 0, done.stderr);
    return { ...archive, server, admin, again };
  }

  const rowOf = (id: string) => world.data.db.read.first(find('placeholder', { id }));
  const timers = () => world.data.db.read.all(find('timer', { kind: 'merge' }));

  /** Performs one of the merge's writes. Returns false if the merge has ended. */
  async function turn(node = world): Promise<boolean> {
    const [timer] = await timers();
    if (timer) await node.app.runDue(timer);
    return timer !== undefined;
  }
  async function merged(): Promise<number> {
    let turns = 0;
    while (await turn()) turns++;
    return turns;
  }

  const setEmail = (id: string, email: string) =>
    world.data.db.write((tx) => tx.run(update('placeholder', id, { email })));
  const claimedBy = (userId: string, accountId: string) =>
    change(world.data, (work) => claimUser(work, userId, accountId));
  return {
    ...{
      stage,
      world,
      owner,
      scene,
      rowOf,
      timers,
      turn,
      merged,
      left: (id: string) => columnsWith(world, id),
      setEmail,
      claimedBy,
      authors: authorsIn,
      signedUp: (email: string) => signUp(world, email),
    },
    newId: () => idAt(now, ++number),
    async close() {
      await world.close();
      await stage.close();
    },
  };
}

interface Archive {
  rows: Record<string, Json[]>;
  grace: Json;
  linus: Json;
  den: string;
  pier: string;
  dm: string;
}

/**
 * An archive with two people, two channels, a direct message, reactions and a pin. The number makes its names
 * and ids unique.
 */
function archiveOf(number: number): Archive {
  const named = (digit: number, username: string) => ({
    ...{
      id: idAt(at - 1_000, number * 1_000 + digit),
      createdAt: at - 1_000,
      username: `${username}.${number}`,
    },
    ...{ name: username, type: 'person', isMember: true },
  });
  const [grace, linus] = [named(1, 'grace'), named(2, 'linus')];
  const pier = {
    ...channelOf(at, `pier-${number}`),
    id: idAt(at, number * 1_000 + 3),
    creatorId: grace.id,
  };
  const den = {
    ...pier,
    id: idAt(at, number * 1_000 + 4),
    name: `den-${number}`,
    private: true,
    memberIds: [grace.id],
  };
  const dm = idAt(at, number * 1_000 + 5);
  const conversations = [
    { id: dm, createdAt: at, name: null, memberIds: [grace.id, linus.id], creatorId: grace.id },
  ];
  const ids = { pier: pier.id, den: den.id, dm, grace: grace.id, linus: linus.id };
  const rows = { people: [grace, linus], channels: [pier, den], conversations, ...messagesOf(number, ids) };
  return { rows, grace, linus, den: den.id, pier: pier.id, dm };
}

/** The messages of an archive, and the reactions and the pin on them. */
function messagesOf(
  number: number,
  { pier, den, dm, grace, linus }: Record<'pier' | 'den' | 'dm' | 'grace' | 'linus', string>,
): Record<'messages' | 'reactions' | 'pins', Json[]> {
  const message = (digit: number, channelId: string, creatorId: string) => ({
    ...{
      id: idAt(at + digit, number * 1_000 + digit),
      createdAt: at + digit,
      editedAt: null,
      channelId,
      creatorId,
    },
    ...{ type: 'person', content: `mooring ${digit}` },
  });
  const messages = [
    ...Array.from({ length: 450 }, (_, index) => message(10 + index, pier, index % 3 ? grace : linus)),
    ...[message(500, den, grace), message(501, dm, grace), message(502, dm, linus)],
  ];
  const reactions = messages.slice(0, 2).map(({ id, createdAt }, index) => ({
    id: idAt(createdAt, number * 1_000 + 600 + index),
    createdAt,
    messageId: id,
    userId: grace,
    emoji: '👍',
  }));
  const pins = [
    { id: idAt(at + 700, number), createdAt: at + 700, messageId: messages[0]?.id, creatorId: grace },
  ];
  return { messages, reactions, pins };
}

/** The columns that still contain a user's id, except in logs, stored responses, placeholders and `user.id`. */
async function columnsWith(world: World, id: string): Promise<string[]> {
  const rowsOf = (text: string) => askData({ data: world.folder, database: world.place.database }, text);
  const found: string[] = [];
  for (const [table, { columns }] of await schemaOf(world)) {
    if (['event', 'audit', 'idempotency', 'placeholder'].includes(table)) continue;
    const looked = columns.filter(
      ({ name, isGenerated }) => !isGenerated && !(table === 'user' && name === 'id'),
    );
    const sums = looked.map(
      ({ name }) => `max(case when cast("${name}" as text) like '%${id}%' then 1 else 0 end) as "${name}"`,
    );
    const [row = {}] = await rowsOf(`select ${sums.join()} from "${table}"`);
    for (const { name } of looked) if (Number(row[name]) > 0) found.push(`${table}.${name}`);
  }
  return found;
}

async function authorsIn(client: Pick<Client, 'get'>, channelId: string): Promise<Set<string>> {
  const messages = await listAll(client, `/channels/${channelId}/messages`);
  return new Set(messages.map(({ creatorId }: Json) => creatorId));
}

/** Signs up with a link that verifies this email address. */
async function signUp(world: World, email: string): Promise<{ browser: Browser; user: Json }> {
  const browser = new Browser(world);
  const { token } = await linkFor(world, undefined, 'signUp', email);
  const body = { username: world.unique('ada'), password: 'a horse that nobody rides', token };
  return { browser, user: dataOf(await browser.post('/sign-up', body)) };
}
