// Server modules that many tests import. If a module moves, only its line here changes.

export { newRecoveryCodes } from '../../server/src/accounts/codes.ts';
export { addLink } from '../../server/src/accounts/link.ts';
export { addSession } from '../../server/src/accounts/session.ts';
export { createFlow } from '../../server/src/cli/records/flow.ts';
export { createKey, revokeKey, rotateKeyFor } from '../../server/src/cli/records/key.ts';
export { createMember } from '../../server/src/cli/records/member.ts';
export { createServer } from '../../server/src/cli/records/server.ts';
export { createUser } from '../../server/src/cli/records/user.ts';
export type { Tx } from '../../server/src/db/contract.ts';
export type { NewRow, TableName } from '../../server/src/db/schema.ts';
export { find, insert, q, remove, update } from '../../server/src/db/statements.ts';
export { eventIdOf, positionOfEventId } from '../../server/src/feed/eventId.ts';
export { createDeps, newRow } from '../../server/src/lib/deps.ts';
export { type Bounds, defaultBounds } from '../../server/src/limits/bounds.ts';
export { quotasFrom } from '../../server/src/limits/quotas.ts';
export { limitsFrom } from '../../server/src/limits/table.ts';
export { type Data, type DataConfig, openData } from '../../server/src/node/data.ts';
export { type NodeOptions, type RunningNode, startNode } from '../../server/src/node/node.ts';
export { pushKeyOf } from '../../server/src/push/key.ts';
export { tidy } from '../../server/src/removal/index.ts';
export { change } from '../../server/src/resources/change.ts';
export { addChannel } from '../../server/src/resources/channel/change.ts';
export { claimUser } from '../../server/src/resources/placeholder.ts';
