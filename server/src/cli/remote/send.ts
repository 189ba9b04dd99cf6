import { randomUUID } from 'node:crypto';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';
import { ask, dataOf, type Remote, retried, TryAgain } from './remote.ts';

const MAX_TRIES = 5;

/** A message, as the server returns it. */
export type Sent = { id: string } & Record<string, unknown>;

/**
 * `palaver send`: sends a message, with retries. All attempts have the same idempotency key, so the server
 * sends the message only once. Throws CommandError.
 */
export async function send(
  remote: Remote,
  { channel, idempotencyKey = randomUUID() }: { channel: string; idempotencyKey?: string },
  content: string,
  tell: TellStep,
): Promise<Sent> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  const body = JSON.stringify({ channelId: channel, content });
  try {
    return await retried(MAX_TRIES, tell, async () =>
      dataOf<Sent>(await ask(remote, '/messages', { method: 'POST', headers, body })),
    );
  } catch (error) {
    if (!(error instanceof TryAgain)) throw error;
    throw new CommandError(
      `${error.message}. The message may have been sent. To retry without sending it twice, add --idempotency-key ${idempotencyKey}`,
    );
  }
}

/** Reads the text from standard input, without the final line break. */
export async function textFromInput(): Promise<string> {
  if (process.stdin.isTTY)
    process.stderr.write('Type the message, then press Ctrl-D on an empty line to send it.\n');
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) text += piece;
  return text.replace(/\r?\n$/, '');
}
