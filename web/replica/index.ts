/** The replica: what features and `main` take of it beside the hooks. */
export type { Actions, Outgoing } from './actions.ts';
export { type Session, startSession } from './session.ts';
export type * from './types.ts';
