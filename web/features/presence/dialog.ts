import { createStore } from '../../ui/index.ts';

/** Whether the dialog about one's own status is open. */
export const statusDialog = createStore(false);
