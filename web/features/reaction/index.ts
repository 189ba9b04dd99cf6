import { lazy } from 'react';

export { Reactions } from './Reactions.tsx';
export { toggleReaction } from './toggle.ts';

/** Everybody who reacted to a message. */
export const WhoReacted = lazy(() => import('./WhoReacted.tsx'));
