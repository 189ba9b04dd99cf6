import { late } from '../../ui/late.tsx';

export { Reactions } from './Reactions.tsx';
export { toggleReaction } from './toggle.ts';

/** The lazy loaded dialog of everyone who reacted to a message. */
export const WhoReacted = late(() => import('./WhoReacted.tsx'));
export { useMayReact } from './useMayReact.ts';
