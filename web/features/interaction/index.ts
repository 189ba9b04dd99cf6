import { lazy, type ReactNode } from 'react';

/** Code that cannot be loaded leaves the message or the composer usable. */
const nothing = { default: (): ReactNode => null };

/** The blocks of an agent's message, and its other files. Loaded with the first message that has some. */
export const MessageBlocks = lazy(() => import('./blocks/index.tsx').catch(() => nothing as never));

/** The outcomes of the commands that the user used in a channel. Loaded once there are some. */
export const CommandNotes = lazy(() => import('./notes/index.tsx').catch(() => nothing as never));

export { hasUsed } from './used.ts';
