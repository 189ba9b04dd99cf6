/** Exports for features and `main`, apart from the hooks. */
export type { Actions, Outgoing } from './actions.ts';
export { type Session, startSession } from './session.ts';
export type * from './types.ts';
