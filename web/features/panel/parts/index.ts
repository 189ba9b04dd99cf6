export { MessageCard } from './MessageCard.tsx';
export { More } from './More.tsx';
export { useNarrow } from './useNarrow.ts';
export { type Pages, usePages } from './usePages.ts';
