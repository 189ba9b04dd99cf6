import type { IncomingHttpHeaders } from 'node:http';
import { invalid } from '../errors.ts';
import type { ByteRange } from '../files/store.ts';

/**
 * Returns the range that a request asks for, out of `length` bytes (RFC 9110, 14.2). Undefined for the whole
 * file, and for range requests that a server may ignore: several ranges, another unit, or another `tag`.
 * Throws INVALID_REQUEST for an unsatisfiable range, because this API does not use status 416.
 */
export function rangeOf(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  length: number,
  tag: string | undefined,
): ByteRange | undefined {
  if (range === undefined || (ifRange !== undefined && ifRange !== tag)) return undefined;
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range.replace(/\s/g, '')) ?? [];
  if (from === '' && to === '') return undefined;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined;
  if (first > last) throw invalid('out_of_range', 'Range', `must be within the ${length} bytes of the file`);
  return { first, last };
}
