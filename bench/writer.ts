import { threadCpuUsage } from 'node:process';
import { Worker } from 'node:worker_threads';
import { present } from '../server/src/access/authenticator.ts';
import { servicesOf } from '../server/src/app.ts';
import { limitsFrom } from '../server/src/limits/table.ts';
import type { Data } from '../server/src/node/data.ts';
import { perform } from '../server/src/operations/perform.ts';
import type { WriteOperation } from '../server/src/operations/write.ts';
import { operations } from '../server/src/resources/index.ts';
import { CONTENT, median, note, publish, quick, ROUNDS, report, SECONDS } from './report.ts';
import { sendFor, sendTo } from './sends.ts';
import { openStage, type Stage, startOn, withStage } from './stage.ts';
import type { Clients, Passed } from './writerThread.ts';

const AMOUNTS = { channels: 100, messages: 1_000, people: 1 };
const SENDS = quick ? 4_000 : 20_000;
const AT_ONCE = 64;

/** CPU per send in µs: of the thread that writes, and of its whole process. */
interface Cost {
  thread: number;
  process: number;
}

/**
 * Measures the cost of a writer behind HTTP threads. Compares sends over HTTP with the same sends performed in this
 * process without HTTP, first directly and then for another thread, which passes them on in batches and gets the
 * responses as JSON. The writer here serves no event streams and checks no limits, so its costs are lower bounds.
 */
export const measureWriter = (): Promise<void> =>
  withStage(false, AMOUNTS, async (stage) => {
    const node = await startOn(stage);
    const http: number[] = [];
    const loads = stage.channelIds.map((id) => sendTo(node, stage.made, id));
    try {
      await sendFor(node, loads, 1);
      for (let round = 0; round < ROUNDS; round++) http.push((await sendFor(node, loads, SECONDS)).cpu);
    } finally {
      await node.stop();
    }
    const data = await openStage(stage);
    const costs: { direct: Cost[]; passed: Cost[] } = { direct: [], passed: [] };
    try {
      const send = await senderIn(data, stage);
      for (let round = -1; round < ROUNDS; round++) {
        const direct = await directly(send, stage);
        const passed = await byMessages(send, stage);
        if (round < 0) continue;
        costs.direct.push(direct);
        costs.passed.push(passed);
      }
    } finally {
      await data.db.close();
    }
    const all = median(http);
    const alone = median(costs.direct.map(({ thread }) => thread));
    const writer = median(costs.passed.map(({ thread }) => thread));
    const passing =
      median(costs.passed.map((cost) => cost.process)) - median(costs.direct.map((cost) => cost.process));
    note('CPU time of a send over HTTP', all, ' µs');
    note('CPU time of a send without HTTP, in the writer', alone, ' µs');
    report(
      'CPU time of a send passed on by another thread, in the writer',
      writer,
      ' µs',
      '< 100 µs',
      writer < 100,
    );
    const growth = (all + passing) / all;
    report(
      'CPU time of a send over HTTP and passed on, relative to HTTP alone',
      growth,
      '',
      '≤ 1.15',
      growth <= 1.15,
    );
    publish('A writer behind HTTP threads', 'SQLite');
  });

type Send = (body: Passed['body'], key: string) => Promise<unknown>;

async function senderIn(data: Data, { made }: Stage): Promise<Send> {
  const services = servicesOf({ ...data, limits: limitsFrom({ '*': 0 }), logger: false } as never);
  const found = operations.find(({ operation }) => operation === 'messageSend') as WriteOperation;
  const caller = await services.authenticator.authenticate(present('apiKey', made.key));
  const callers = new Map([[made.key, caller]]);
  return (body, key) => perform(services, found, callers.get(key), { body });
}

/** Runs sends and returns their cost. */
async function costOf(run: () => Promise<void>): Promise<Cost> {
  const [thread, whole] = [threadCpuUsage(), process.cpuUsage()];
  await run();
  const each = ({ user, system }: NodeJS.CpuUsage) => (user + system) / SENDS;
  return { thread: each(threadCpuUsage(thread)), process: each(process.cpuUsage(whole)) };
}

const directly = (send: Send, { made, channelIds }: Stage): Promise<Cost> =>
  costOf(async () => {
    let next = 0;
    const sender = async () => {
      while (next < SENDS) {
        const channelId = channelIds[next++ % channelIds.length] as string;
        JSON.stringify(await send({ serverId: made.busy.serverId, channelId, content: CONTENT }, made.key));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
  });

async function byMessages(send: Send, { made, channelIds }: Stage): Promise<Cost> {
  const workerData: Clients = { serverId: made.busy.serverId, channelIds, key: made.key, atOnce: AT_ONCE };
  const thread = new Worker(new URL('./writerThread.ts', import.meta.url), { workerData });
  try {
    await new Promise((resolve) => thread.once('online', resolve));
    return await costOf(
      () =>
        new Promise((resolve, reject) => {
          let done = 0;
          let answers: string[] = [];
          const answer = () => {
            done += answers.length;
            thread.postMessage(answers);
            answers = [];
            if (done === SENDS) resolve();
          };
          thread.on('message', (passed: Passed[]) => {
            for (const { body, key } of passed)
              send(body, key).then((record) => {
                if (answers.push(JSON.stringify(record)) === 1) setImmediate(answer);
              }, reject);
          });
          thread.postMessage({ sends: SENDS });
        }),
    );
  } finally {
    await thread.terminate();
  }
}
