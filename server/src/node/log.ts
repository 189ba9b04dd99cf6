import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { plain } from '../lib/plain.ts';

const STANDARD_ERROR = 2;

/**
 * The node's log on standard error: human-readable on a terminal, JSON otherwise, unless the setting `log`
 * overrides it.
 */
export async function createLog({ log, logLevel }: Pick<Config, 'log' | 'logLevel'>): Promise<Logger> {
  const isPretty = log === 'auto' ? isatty(STANDARD_ERROR) : log === 'pretty';
  const destination = isPretty
    ? { write: await prettyWriter() }
    : pino.destination({ fd: STANDARD_ERROR, sync: false, minLength: 4096, periodicFlush: 200 });
  return pino({ level: logLevel, base: undefined }, destination);
}

/** A request's log line, as written by `logRequest`. */
interface RequestLine {
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  msg?: string;
}

/** Writes human-readable lines. The package is loaded only here, so a node that logs JSON does without it. */
async function prettyWriter(): Promise<(line: string) => void> {
  const { prettyFactory } = await import('pino-pretty');
  const format = prettyFactory({
    colorize: process.stderr.hasColors?.() ?? false,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    ignore: 'method,path,status,ms',
    messageFormat(line) {
      const { method, path = '', status, ms, msg = '' } = line as RequestLine;
      return method ? `${method} ${plain(path)} ${status} in ${ms} ms` : msg;
    },
  });
  return (line) => {
    process.stderr.write(format(line) ?? '');
  };
}
