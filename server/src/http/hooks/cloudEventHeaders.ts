import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { payloadIn } from './json.ts';

/** The attributes of an event that messages show. */
const ATTRIBUTES = ['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype'] as const;

/** Matches percent-encoded bytes. */
const ENCODED = /(?:%[0-9a-f]{2})+/gi;

/**
 * Converts a CloudEvent in binary mode (HTTP binding), in which the attributes are headers, to structured
 * mode. Its `data` is JSON or text; anything else is omitted.
 */
export function eventOf(headers: IncomingHttpHeaders, media: string, bytes: Buffer): object {
  const attributes = ATTRIBUTES.flatMap((name) => {
    const value = headers[`ce-${name}`];
    return typeof value === 'string' ? [[name, decoded(value)]] : [];
  });
  return { ...Object.fromEntries(attributes), data: dataOf(media, bytes) };
}

/** Decodes percent-encoded characters that headers cannot contain. */
const decoded = (value: string): string =>
  value.replace(ENCODED, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));

function dataOf(media: string, bytes: Buffer): unknown {
  if (/[/+]json$/.test(media)) return payloadIn(bytes);
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}
