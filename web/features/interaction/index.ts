import { optional } from '../../ui/missingPart.ts';

/** The blocks of an agent's message, and its other files. Loaded with the first such message. */
export const MessageBlocks = optional(() => import('./blocks/index.tsx'));

/** The outcomes of the commands that the user used in a channel or thread. Loaded with the first outcome. */
export const CommandNotes = optional(() => import('./notes/index.tsx'));

export { hasUsed } from './used.ts';
