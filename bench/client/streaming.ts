import type { Browser, CDPSession, Page } from 'playwright-core';
import { quick, report } from '../report.ts';
import { GOAL, SLOW_CPU } from './goals.ts';
import type { Stage } from './stage.ts';

/** The time between two chunks, in ms. */
const PIECE_MS = 20;
const PIECES = quick ? 60 : 200;
const WORDS = 'The **harbour** opens at *six*, see `log`. ';

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** CPU time of the thread, in µs. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Measures the longest task in a page that shows a streamed message: 50 chunks a second, up to almost the maximum
 * length. Counts CPU time, which does not depend on other load.
 */
export async function streaming(
  { node, key, busy }: Stage,
  browser: Browser,
  [page]: [Page, CDPSession],
  path: string,
): Promise<void> {
  const post = async (to: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${node.url}/api/v1${to}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    const { data } = (await answer.json()) as { data: { id: string; offset: number } };
    return data;
  };
  await page.goto(path);
  await page.waitForSelector('[data-message]');
  const { id } = await post('/messages', { channelId: busy, streaming: true });
  await page.waitForSelector(`[data-message="${id}"] .message-stop`);
  await page.waitForTimeout(1_000);
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  const begun = performance.now();
  for (let piece = 0, offset = 0; piece < PIECES; piece++) {
    await page.waitForTimeout(Math.max(begun + piece * PIECE_MS - performance.now(), 0));
    const text = piece % 10 === 9 ? `${WORDS.trim()}\n\n` : WORDS.slice(0, 38);
    ({ offset } = await post(`/messages/${id}/append`, { offset, text }));
  }
  const took = performance.now() - begun;
  await page.waitForTimeout(500);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`;
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  );
  const tasks = traceEvents.filter((one) => one.tdur !== undefined && main.has(threadOf(one)));
  const longest = (Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000) * SLOW_CPU;
  report(
    'longest task while a message is streamed, CPU 4 × slower',
    longest,
    ' ms',
    `≤ ${GOAL.input} ms`,
    longest <= GOAL.input,
    `, ${Math.round((PIECES / took) * 1_000)} pieces a second`,
  );
  await page.context().close();
}
