import { late } from '../../ui/late.tsx';

export { Reactions } from './Reactions.tsx';
export { toggleReaction } from './toggle.ts';

/** The dialog that shows everyone who reacted to a message, loaded on first use. */
export const WhoReacted = late(() => import('./WhoReacted.tsx'));
export { useMayReact } from './useMayReact.ts';
