/** What features and `main` may import from the replica, apart from the hooks. */
export type { Actions, Outgoing } from './actions.ts';
export { type Session, startSession } from './session.ts';
export type * from './types.ts';
