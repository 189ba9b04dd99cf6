/** The session, actions and types, for features. The hooks are in `hooks.ts`. */
export type { Actions, Outgoing } from './actions.ts';
export { type Session, startSession } from './session.ts';
export type * from './types.ts';
