import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';
import { plain } from '../lib/plain.ts';

const STANDARD_ERROR = 2;

/** The log of a node, on standard error: lines for people on a terminal, JSON otherwise, unless the setting `log` says. */
export async function createLog({ log, logLevel }: Pick<Config, 'log' | 'logLevel'>): Promise<Logger> {
  const isPretty = log === 'auto' ? isatty(STANDARD_ERROR) : log === 'pretty';
  const destination = isPretty
    ? { write: await prettyWriter() }
    : pino.destination({ fd: STANDARD_ERROR, sync: false, minLength: 4096, periodicFlush: 200 });
  return pino({ level: logLevel, base: undefined }, destination);
}

/** A line of a request, as `logRequest` writes it. */
interface RequestLine {
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  msg?: string;
}

/** Writes lines for people. Its package is loaded here: a node that writes JSON does without. */
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
