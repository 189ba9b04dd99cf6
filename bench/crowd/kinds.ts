import type { Asked } from '../../test/support/everyOperation.ts';
import type { Random } from '../../test/support/seeded.ts';
import { sendTo } from '../steady.ts';
import type { Person } from './data.ts';
import type { Stage } from './kept.ts';
import { bodyOf, keyOf, type Requests, sessionOf } from './requests.ts';
import { sought } from './words.ts';

/** One kind of activity: one or more sequential requests. */
export interface Kind {
  name: string;
  /** The percentage of the mix; 0 if the kind is measured only on its own. */
  share: number;
  run(): Promise<Done>;
}

export interface Done {
  /** Total milliseconds of all requests. */
  ms: number;
  requests: number;
  /** Bytes of the response bodies as transferred. */
  bytes: number;
}

/** Maximum number of pages that a search reads before its first result. */
const MAX_PAGES = 2_000;

/**
 * The kinds of activity in a community. Requests use random people. In the mix, half of the requests for a channel use
 * the large one.
 */
export function kindsOf(stage: Stage, requests: Requests, random: Random): Kind[] {
  const { serverId, people, channels } = stage;
  const withKeys = people.filter(({ key }) => key !== undefined);
  const someone = () => sessionOf(stage, random.pick(people));
  const byKey = () => keyOf((random.pick(withKeys) as Person).key);
  const channel = () => (random.chance(0.5) ? channels[0] : random.pick(channels)) as Stage['channels'][0];
  const done = async (asked: Asked): Promise<Done> => {
    const { ms, bytes } = await requests.succeed(asked);
    return { ms, requests: 1, bytes: bytes.length };
  };
  const send = (headers: Record<string, string>, place = channel()) => sendIn(requests, headers, place);
  const page = (headers: Record<string, string>, { id } = channel()) =>
    done({ path: `/api/v1/channels/${id}/messages`, headers });
  const mark = (place = channel()) => {
    const marks = [{ channelId: place.id, messageId: place.latest.at(-1) }];
    return done({ method: 'POST', path: '/api/people/reading/marks', headers: someone(), body: { marks } });
  };
  const search = (word: string) =>
    searchFor(requests, `/api/v1/servers/${serverId}/messages?q=${word}`, someone());
  const words = Object.values(sought);
  const all = { id: channels[0]?.id as string };
  return [
    { name: 'send', share: 20, run: () => send(someone()) },
    { name: 'page', share: 30, run: () => page(someone()) },
    {
      name: 'view',
      share: 20,
      run: () => done({ path: `/api/people/channels/${channel().id}/view`, headers: someone() }),
    },
    { name: 'mark', share: 15, run: () => mark() },
    { name: 'reading', share: 7, run: () => done({ path: '/api/people/reading', headers: someone() }) },
    { name: 'search', share: 5, run: () => search(random.pick(words)) },
    {
      name: 'snapshot',
      share: 3,
      run: () => done({ path: `/api/people/servers/${serverId}/snapshot`, headers: someone() }),
    },
    ...Object.entries(sought).map(([name, word]) => ({
      name: `search: ${name} word`,
      share: 0,
      run: () => search(word),
    })),
    { name: 'send with keys', share: 0, run: () => send(byKey(), random.pick(channels)) },
    {
      name: 'page with keys, uncompressed',
      share: 0,
      run: () => page({ ...byKey(), ...plain }, random.pick(channels)),
    },
    {
      name: 'page with keys, one channel',
      share: 0,
      run: () => page({ ...byKey(), ...plain }, all as never),
    },
  ];
}

/** Sends a message and adds it to the channel's latest messages. */
async function sendIn(
  requests: Requests,
  headers: Record<string, string>,
  place: Stage['channels'][0],
): Promise<Done> {
  const answer = await requests.succeed(sendTo(place.id, headers));
  place.latest.push(bodyOf(answer).data.id);
  place.latest.shift();
  return { ms: answer.ms, requests: 1, bytes: answer.bytes.length };
}

/** Reads the pages of a search up to the first one with a result. */
async function searchFor(requests: Requests, path: string, headers: Record<string, string>): Promise<Done> {
  const sum: Done = { ms: 0, requests: 0, bytes: 0 };
  let cursor = '';
  while (sum.requests < MAX_PAGES) {
    const answer = await requests.succeed({ path: path + cursor, headers });
    const { data, nextCursor } = bodyOf(answer);
    sum.ms += answer.ms;
    sum.requests++;
    sum.bytes += answer.bytes.length;
    if (data.length > 0 || nextCursor === null) return sum;
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
  }
  throw new Error(`the search ${path} does not end`);
}

const plain = { 'accept-encoding': 'identity' };

/** Draws kinds at random, weighted by their share. */
export function drawn(kinds: readonly Kind[], random: Random): Kind {
  const sum = kinds.reduce((all, { share }) => all + share, 0);
  let at = random.next() * sum;
  return kinds.find(({ share }) => {
    at -= share;
    return at < 0;
  }) as Kind;
}
