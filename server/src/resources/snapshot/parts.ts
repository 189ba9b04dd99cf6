import type { Static } from 'typebox';
import { channelsPart } from '../channel.ts';
import { readingPart } from '../reading/index.ts';
import { rolesPart } from '../role.ts';
import type { SnapshotOf } from '../snapshotPart.ts';

/** The parts of a snapshot, by field name. Each noun adds its own here. */
const parts = {
  channels: channelsPart,
  roles: rolesPart,
  reading: readingPart,
};

type Parts = typeof parts;
type Schemas = { [Name in keyof Parts]: Parts[Name]['schema'] };

/** The fields of all the parts. */
export const partFields = Object.fromEntries(
  Object.entries(parts).map(([name, { schema }]) => [name, schema]),
) as Schemas;

export async function readParts(of: SnapshotOf): Promise<{ [Name in keyof Schemas]: Static<Schemas[Name]> }> {
  const read = Object.entries(parts).map(async ([name, part]) => [name, await part.read(of)] as const);
  return Object.fromEntries(await Promise.all(read)) as { [Name in keyof Schemas]: Static<Schemas[Name]> };
}
