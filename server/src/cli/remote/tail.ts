import { setTimeout as sleep } from 'node:timers/promises';
import { pauseAfter, type Remote, TryAgain } from './remote.ts';
import { Shown } from './shown.ts';
import { connect } from './stream.ts';

export interface TailOptions {
  channel?: string;
  types?: string;
  /** The id of the event to continue after. */
  after?: string;
  /** Prints JSON lines even on a terminal. */
  json?: boolean;
}

/**
 * `palaver tail`: prints events until it is interrupted, as lines for people on a terminal and as JSON
 * lines elsewhere. If the connection is lost, it reconnects and resumes after the last event. Throws
 * CommandError if the server rejects the request, or does not respond to the first attempt.
 */
export async function tail(remote: Remote, options: TailOptions): Promise<never> {
  const query = queryOf({ channelId: options.channel, types: options.types });
  const show = process.stdout.isTTY && !options.json ? new Shown(remote, options.types) : undefined;
  // This event occurs when the program that reads the output, such as `head`, exits.
  process.stdout.on('error', () => process.exit(0));
  let { after } = options;
  let wasConnected = false;
  for (let failures = 0; ; failures++) {
    try {
      for await (const step of connect(remote, { query, after })) {
        after = step.after;
        if (failures > 0) say('reconnected');
        failures = 0;
        wasConnected = true;
        if (!step.event) continue;
        const line = show ? await show.line(step.event) : JSON.stringify(step.event);
        if (line !== undefined) process.stdout.write(`${line}\n`);
      }
      if (failures === 0) say('the server ended the stream; reconnecting');
      await sleep(pauseAfter(failures));
    } catch (error) {
      if (!(error instanceof TryAgain) || (error.isSilent && !wasConnected)) throw error;
      if (failures === 0) say(`${error.message}; trying again`);
      await sleep(Math.max(error.pause, pauseAfter(failures)));
    }
  }
}

const say = (line: string) => process.stderr.write(`${line}\n`);

function queryOf(filters: Record<string, string | undefined>): string {
  const set = Object.entries(filters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}
