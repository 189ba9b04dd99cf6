export { Reactions } from './Reactions.tsx';
export { toggleReaction } from './toggle.ts';
export { WhoReacted } from './WhoReacted.tsx';
