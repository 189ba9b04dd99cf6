export { mentionsIn } from './mentions.ts';
export { parseMessage } from './message.ts';
export type { Block, Inline } from './nodes.ts';
export { lineText, searchText } from './text.ts';
