export { MessageCard } from './MessageCard.tsx';
export { More } from './More.tsx';
export { type Pages, usePages } from './usePages.ts';
