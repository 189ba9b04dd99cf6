import { addSession } from '../../server/src/accounts/session.ts';
import { createMember } from '../../server/src/cli/records/member.ts';
import { createUser } from '../../server/src/cli/records/user.ts';
import { openData } from '../../server/src/node/data.ts';
import { change } from '../../server/src/resources/change.ts';
import { makeServer } from '../made.ts';
import { type Running, startOnServerCore } from '../processes.ts';
import { seedMessages } from '../seed.ts';
import { SCROLLED } from './goals.ts';

/** A signed-in person. */
interface Person {
  cookie: string;
}

/** A running server with a large channel, a busy one, and two people. */
export interface Stage {
  node: Running;
  serverId: string;
  large: string;
  busy: string;
  key: string;
  people: [Person, Person];
}

/** Starts a server on its own core, with its data in a folder. */
export async function stage(folder: string): Promise<Stage> {
  const data = await openData({ data: folder });
  const { user, key, large, busy } = await makeServer(data);
  const person = async (username: string): Promise<Person> => {
    const { token } = await change(data, async (work) => {
      const { id } = await createUser(work, { username });
      await createMember(work, { server: large.serverId, user: id });
      return addSession(work, { userId: id, device: null });
    });
    return { cookie: token };
  };
  const people: [Person, Person] = [await person('ada'), await person('ben')];
  await data.db.close();
  seedMessages(`${folder}/palaver.db`, large, user.id, SCROLLED);
  const node = await startOnServerCore('server/bin/palaver.js', ['start', '--data', folder, '--port', '0'], {
    PALAVER_LIMITS: '{"*":0}',
  });
  return { node, serverId: large.serverId, large: large.id, busy: busy.id, key, people };
}

/** Sends messages to the busy channel, a limited number of them concurrently. */
export async function flood({ node, key, busy }: Stage, amount: number, atOnce: number): Promise<void> {
  let left = amount;
  const one = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${node.url}/api/v1/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ channelId: busy, content: `Message **${left}** of many, with \`code\`` }),
      });
      if (!answer.ok) throw new Error(await answer.text());
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/** Sends twenty messages per second until it is stopped. */
export function trickle(stage: Stage): { stop(): void } {
  const timer = setInterval(() => void flood(stage, 1, 1), 50);
  return { stop: () => clearInterval(timer) };
}
