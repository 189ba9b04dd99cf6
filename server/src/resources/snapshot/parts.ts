import type { Static, TSchema } from 'typebox';
import { Type } from '../../lib/schema.ts';
import { Weighted } from '../../lib/weighted.ts';
import { compile } from '../../operations/answer.ts';
import { type RowsPart, SharedPart } from '../../operations/joined.ts';
import { categoriesPart } from '../category.ts';
import { channelsPart, conversationsPart } from '../channel/channelRecord.ts';
import { emojiPart } from '../emoji.ts';
import { readingPart } from '../reading/index.ts';
import { rolesPart } from '../role.ts';
import type { Sight } from '../serverState/channelRows.ts';
import type { SnapshotOf } from '../snapshotPart.ts';

/** Maximum bytes of cached shared parts. */
const MAX_SHARED_BYTES = 32 * 1024 * 1024;

/** The parts of a snapshot, by field name. Add a noun's parts here. */
const parts = { conversations: conversationsPart, reading: readingPart };
/** The parts that are the same for everyone who can see the same channels. */
const sharedParts = {
  channels: channelsPart,
  categories: categoriesPart,
  emoji: emojiPart,
  roles: rolesPart,
};

type Schemas<P extends Record<string, { schema: TSchema }>> = { [Name in keyof P]: P[Name]['schema'] };
type Fields<P extends Record<string, { schema: TSchema }>> = { [Name in keyof P]: Static<P[Name]['schema']> };

const schemasOf = <P extends Record<string, { schema: TSchema }>>(of: P) =>
  Object.fromEntries(Object.entries(of).map(([name, { schema }]) => [name, schema])) as Schemas<P>;

/** The fields of all the parts. */
export const partFields = { ...schemasOf(sharedParts), ...schemasOf(parts) };

/** Reads the parts. At most one of them may have `rows`. */
export async function readParts(of: SnapshotOf): Promise<{ fields: Fields<typeof parts>; rows?: RowsPart }> {
  const read = await Promise.all(
    Object.entries(parts).map(async ([name, part]) => ({ name, ...(await part.read(of)) })),
  );
  const fields = Object.fromEntries(read.map(({ name, value }) => [name, value])) as Fields<typeof parts>;
  const rows = read.find((part) => part.rows !== undefined)?.rows;
  return { fields, ...(rows && { rows }) };
}

const shared = new Weighted<Sight, SharedPart>(MAX_SHARED_BYTES);
let stringify: ReturnType<typeof compile> | undefined;

/** Returns the parts that are shared by all people who can see the same channels. */
export function sharedOf(sight: Sight): SharedPart {
  const known = shared.get(sight);
  if (known) return known;
  stringify ??= compile(Type.Object(schemasOf(sharedParts)));
  const read = Object.entries(sharedParts).map(([name, part]) => [name, part.read(sight)]);
  const part = new SharedPart(Object.keys(sharedParts), stringify(Object.fromEntries(read)));
  shared.set(sight, part, part.bytes.length);
  return part;
}
