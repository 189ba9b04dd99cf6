import { setTimeout as sleep } from 'node:timers/promises';
import { ask, dataOf, type Remote, TryAgain } from '../remote/remote.ts';
import { connect } from '../remote/stream.ts';

interface Message {
  id: string;
  channelId: string;
  threadId: string | null;
  creatorId: string;
  content: string;
}

const RECONNECT_MS = 1_000;

const HELP = [
  "I'm the demo's bot. I understand:",
  '- `@guide dice`: I roll two dice',
  '- `@guide count`: I count the latest messages of this channel',
  '- `@guide help`: this list',
  '',
  'The guide *A bot* in the documentation shows how to write one in TypeScript, Python or curl.',
].join('\n');

const dice = (): number => 1 + Math.floor(Math.random() * 6);

/** Returns the bot's answer to a question. */
async function answerTo(remote: Remote, { content, channelId }: Message): Promise<string> {
  if (/\bdice\b/i.test(content)) return `🎲 ${dice()} and ${dice()}`;
  if (/\bcount\b/i.test(content)) {
    const page = await ask(remote, `/channels/${channelId}/messages?limit=100`);
    const messages = await dataOf<Message[]>(page);
    const writers = new Set(messages.map(({ creatorId }) => creatorId));
    const words = messages.flatMap((each) => each.content.match(/[\p{L}\p{N}]+/gu) ?? []).length;
    return `The latest ${messages.length} messages here are from ${writers.size} people and contain ${words} words.`;
  }
  return HELP;
}

async function answer(remote: Remote, messageId: string): Promise<void> {
  const message = await dataOf<Message>(await ask(remote, `/messages/${messageId}`));
  const place =
    message.threadId === null
      ? { channelId: message.channelId, replyToId: messageId }
      : { threadId: message.threadId };
  await ask(remote, '/messages', {
    method: 'POST',
    // The idempotency key prevents a second answer if the event is received twice.
    headers: { 'content-type': 'application/json', 'idempotency-key': messageId },
    body: JSON.stringify({ ...place, content: await answerTo(remote, message) }),
  });
}

/**
 * Answers mentions of the demo's bot until its key is rejected. Skips a mention that cannot be answered, for
 * example because its message was deleted.
 */
export async function runBot(remote: Remote): Promise<never> {
  const query = '?types=notification.created';
  for (let after: string | undefined; ; ) {
    try {
      for await (const step of connect(remote, { query, after })) {
        after = step.after;
        const { type, messageId } = (step.event?.data ?? {}) as { type?: string; messageId?: string };
        if (type === 'mention' && messageId) await answer(remote, messageId).catch(() => undefined);
      }
    } catch (error) {
      if (!(error instanceof TryAgain)) throw error;
    }
    // The stream also ends when the server stops. This timer does not keep the process alive.
    await sleep(RECONNECT_MS, undefined, { ref: false });
  }
}
