import { lazy, type ReactNode } from 'react';

/** If the code cannot be loaded, the message and the composer remain usable. */
const nothing = { default: (): ReactNode => null };

/** The blocks of an agent's message, and its other files. Loaded with the first such message. */
export const MessageBlocks = lazy(() => import('./blocks/index.tsx').catch(() => nothing as never));

/** The outcomes of the commands that the user used in a channel or thread. Loaded when there is one. */
export const CommandNotes = lazy(() => import('./notes/index.tsx').catch(() => nothing as never));

export { hasUsed } from './used.ts';
