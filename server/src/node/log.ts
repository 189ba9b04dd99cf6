import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { plain } from '../lib/plain.ts';

const STANDARD_ERROR = 2;

/**
 * Creates the node's log on standard error: human-readable on a terminal, JSON otherwise, unless the setting
 * `log` overrides this.
 */
export async function createLog({ log, logLevel }: Pick<Config, 'log' | 'logLevel'>): Promise<Logger> {
  const isPretty = log === 'auto' ? isatty(STANDARD_ERROR) : log === 'pretty';
  const destination = isPretty
    ? { write: (line: string) => process.stderr.write(prettyLine(JSON.parse(line) as Line)) }
    : flushedSoon(pino.destination({ fd: STANDARD_ERROR, sync: false, minLength: 4096 }));
  return pino({ level: logLevel, base: undefined }, destination);
}

/** How long a line may wait in the buffer, in milliseconds. */
const FLUSH_MS = 200;

/** Flushes a destination soon after a line was written. Its own `periodicFlush` would run a timer forever. */
function flushedSoon(destination: ReturnType<typeof pino.destination>): typeof destination {
  const write = destination.write.bind(destination);
  let isDue = false;
  const flush = () => {
    isDue = false;
    destination.flush();
  };
  destination.write = (line) => {
    if (!isDue) setTimeout(flush, FLUSH_MS).unref();
    isDue = true;
    return write(line);
  };
  return destination;
}

/** A log line. `logRequest` writes the lines that have a method. */
interface Line {
  level: keyof typeof LEVELS;
  time: number;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  msg?: string;
  err?: { stack?: string };
}

/** The labels and colours for pino's levels. */
const LEVELS = {
  10: ['TRACE', 'gray'],
  20: ['DEBUG', 'blue'],
  30: ['INFO', 'green'],
  40: ['WARN', 'yellow'],
  50: ['ERROR', 'red'],
  60: ['FATAL', 'bgRed'],
} as const;

/** The beginning of Fastify's message for the main port. */
const LISTENING = 'Server listening at ';

/** Formats a human-readable log line, followed by the error's stack trace, if any. */
function prettyLine({ level, time, method, path = '', status, ms, msg = '', err, ...others }: Line): string {
  // `palaver start` prints the address on standard output, along with the next steps.
  if (msg.startsWith(LISTENING)) return '';
  const [word, colour] = LEVELS[level];
  const message = method ? `${method} ${plain(path)} ${status} in ${ms} ms` : msg;
  const clock = new Date(time).toTimeString().slice(0, 8);
  const { stack, ...error } = err ?? {};
  const fields = { ...others, ...(err && { err: error }) };
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const trace = stack?.split('\n').map((each) => `    ${plain(each)}\n`) ?? [];
  const hasColors = process.stderr.hasColors?.() ?? false;
  const styled = (style: Parameters<typeof styleText>[0], text: string) =>
    hasColors ? styleText(style, text, { validateStream: false }) : text;
  return `[${clock}] ${styled(colour, word)}: ${styled('cyan', message)}${styled('gray', more)}\n${trace.join('')}`;
}
