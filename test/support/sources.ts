// The parts of the server that many tests use. A file that moves there changes one line here.

export { change, type Data, type DataConfig, openData } from '../../server/src/cli/data.ts';
export {
  createFlow,
  createKey,
  createMember,
  createServer,
  createUser,
  revokeKey,
} from '../../server/src/cli/records.ts';
export type { Tx } from '../../server/src/db/contract.ts';
export { find, insert, q, remove, update } from '../../server/src/db/statements.ts';
export type { NewRow, TableName } from '../../server/src/db/tables.ts';
export { eventIdOf, placeOfEventId } from '../../server/src/feed/eventId.ts';
export { createDeps, newRow } from '../../server/src/lib/deps.ts';
export { tidy } from '../../server/src/upkeep.ts';
