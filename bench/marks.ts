import type { Reader } from '../server/src/db/contract.ts';
import { q } from '../server/src/db/statements.ts';
import { type Figures, generateBy } from './load.ts';
import type { Running } from './processes.ts';
import { median, perSecond, ROUNDS, reportWithLoad, SECONDS } from './report.ts';
import { openStage, type Stage } from './stage.ts';

/** The number of people who mark messages as read, and the number of channels per person. */
const PEOPLE = 1_000;
const CHANNELS = 5;
const GOAL_PER_SECOND = 5_000;

/** The latest messages of a channel, oldest first. */
export async function latestIn(db: Reader, channelId: string, amount: number): Promise<string[]> {
  const latest = q.selectFrom('message').select('id').where('channelId', '=', channelId);
  const rows = await db.all(latest.orderBy('channelId', 'desc').orderBy('id', 'desc').limit(amount));
  return rows.map(({ id }) => id).reverse();
}

/** A channel, and the messages to which its marker moves, oldest first. */
interface Places {
  id: string;
  messages: string[];
}

/** The messages that people mark as read in a run. Queried before a node opens the data. */
export async function placesOf(stage: Stage): Promise<Places[]> {
  const data = await openStage(stage);
  try {
    return await Promise.all(
      stage.channelIds.slice(0, CHANNELS).map(async (id) => ({
        id,
        messages: await latestIn(data.db.read, id, 90),
      })),
    );
  } finally {
    await data.db.close();
  }
}

/**
 * Measures marking channels as read over HTTP, cycling through many people. Every request moves a marker.
 * Requires wrk.
 */
export async function measureMarks(stage: Stage, places: readonly Places[], node: Running): Promise<void> {
  const url = `${node.url}/api/people/reading/marks`;
  const figures: Figures[] = [];
  const cpus: number[] = [];
  let at = 0;
  for (let round = -1; round < ROUNDS; round++) {
    const seconds = round < 0 ? 1 : SECONDS;
    const before = node.cpu();
    const made = await generateBy(url, script(stage, places, at), seconds);
    if (made.failed > 0) throw new Error(`${made.failed} marks failed`);
    at += Math.ceil(made.rate * seconds) + PEOPLE;
    if (round < 0) continue;
    figures.push(made);
    cpus.push(((node.cpu() - before) * 1e6) / (made.rate * seconds));
  }
  if (at > PEOPLE * CHANNELS * (places[0]?.messages.length ?? 0))
    throw new Error('some marks moved no marker: there are too few messages');
  const rate = median(figures.map(({ rate }) => rate));
  const p99 = median(figures.map(({ p99 }) => p99)).toFixed(1);
  const detail = ` (${perSecond(figures)}; p99 ${p99} ms, ${median(cpus).toFixed(0)} µs of node CPU each)`;
  const isReached = rate >= GOAL_PER_SECOND;
  reportWithLoad('marking as read, over HTTP', rate, ' a second', `≥ ${GOAL_PER_SECOND}`, isReached, detail);
}

const listOf = (texts: readonly string[]): string => `{${texts.map((text) => `"${text}"`).join(',')}}`;

/** A wrk script that sends the marks, starting with number `first`. */
const script = ({ made, people }: Stage, places: readonly Places[], first: number): string => `
local tokens = ${listOf(people.slice(0, PEOPLE).map(({ token }) => token))}
local places = {${places.map(({ id, messages }) => `{id = "${id}", messages = ${listOf(messages)}}`).join(',\n')}}
local headers = {["content-type"] = "application/json", ["palaver-server"] = "${made.large.serverId}"}
local at = ${first}
request = function()
  local step = math.floor(at / #tokens)
  local place = places[step % #places + 1]
  local message = place.messages[math.floor(step / #places) % #place.messages + 1]
  headers["cookie"] = "palaver=" .. tokens[at % #tokens + 1]
  at = at + 1
  return wrk.format("POST", nil, headers, '{"marks":[{"channelId":"' .. place.id .. '","messageId":"' .. message .. '"}]}')
end`;
