import { createContext } from 'react';
import type { Records } from '../../api/records.ts';

/** What other parts of the page do with a message; those that are missing are not offered. */
export interface Doing {
  /** Begins an answer. */
  reply?(message: Records['ShownMessage']): void;
  /** Puts what it says, as a quote, where one writes. */
  quote?(message: Records['ShownMessage']): void;
}

/** Given by the list around the messages. */
export const DoingContext = createContext<Doing>({});
