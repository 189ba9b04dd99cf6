/** The replica's exports for features and `main`, except the hooks. */
export type { Actions, Outgoing } from './actions.ts';
export { type Session, startSession } from './session.ts';
export type * from './types.ts';
