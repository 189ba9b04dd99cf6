import { createStore } from '../../ui/index.ts';

/** Whether the status dialog is open. */
export const statusDialog = createStore(false);
