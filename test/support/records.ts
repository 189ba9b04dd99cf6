import assert from 'node:assert/strict';
import type { Json } from './world.ts';

/** Kinds of values in a record. A question mark means that the value can be null. */
type Kind =
  | 'id'
  | 'ids'
  | 'text'
  | 'number'
  | 'count'
  | 'time'
  | 'flag'
  | 'json'
  | 'list'
  | 'object'
  | 'id?'
  | 'text?'
  | 'number?'
  | 'count?'
  | 'time?'
  | 'flag?'
  | 'object?'
  | 'list?';

/** The fields of a record or of a nested object. Brackets mean the fields of each element in a list. */
export interface Fields {
  [name: string]: Kind | Fields | readonly [Fields];
}

/** The fields that every record has. */
const common = { id: 'id', createdAt: 'time', updatedAt: 'time' } as const;

/** The fields of a record nested in another record, including `id`, `createdAt` and `updatedAt`. */
export const whole = (fields: Fields): Fields => ({ ...common, ...fields });

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const isId = (value: unknown): boolean => typeof value === 'string' && UUID_V7.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const checks: Record<string, (value: unknown) => boolean> = {
  id: isId,
  ids: (value) => Array.isArray(value) && value.every(isId),
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  count: isCount,
  // Milliseconds have 13 digits from the year 2001 to the year 2286.
  time: (value) => isCount(value) && String(value).length === 13,
  flag: (value) => typeof value === 'boolean',
  json: (value) => value !== undefined,
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/**
 * Asserts that a record has exactly these fields plus `id`, `createdAt` and `updatedAt`, each with the right type.
 */
export const assertRecord = (record: Json, fields: Fields, name: string): void =>
  assertFields(record, whole(fields), name);

/** Asserts that an object has exactly these fields, each with the right type. */
export function assertFields(record: Json, fields: Fields, name: string): void {
  assert.deepEqual(Object.keys(record).sort(), Object.keys(fields).sort(), name);
  for (const [field, kind] of Object.entries(fields)) assertField(record[field], kind, `${name}.${field}`);
}

function assertField(value: Json, kind: Fields[string], name: string): void {
  if (typeof kind !== 'string') {
    assert.ok(
      value !== null && Array.isArray(value) === Array.isArray(kind),
      `${name}: ${JSON.stringify(value)}`,
    );
    if (!Array.isArray(value)) assertFields(value, kind as Fields, name);
    else for (const each of value) assertFields(each, (kind as readonly [Fields])[0], name);
    return;
  }
  if (value === null && kind.endsWith('?')) return;
  const holds = checks[kind.replace('?', '')] as (value: unknown) => boolean;
  assert.ok(holds(value), `${name} is not of kind ${kind}: ${JSON.stringify(value)}`);
}

/** The fields in the response to sending a message, sorted. */
export const MESSAGE_FIELDS = [
  'channelId',
  'content',
  'createdAt',
  'creatorId',
  'deleted',
  'id',
  'isThreadReply',
  'serverId',
  'type',
  'updatedAt',
];
