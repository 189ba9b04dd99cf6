import { createContext } from 'react';
import type { Records } from '../../api/records.ts';

/** Message actions that other parts of the page provide. Missing ones are not offered. */
export interface Doing {
  /** Starts a reply. */
  reply?(message: Records['ShownMessage']): void;
  quote?(message: Records['ShownMessage']): void;
}

/** Provided by the list that contains the messages. */
export const DoingContext = createContext<Doing>({});
