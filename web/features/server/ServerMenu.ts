import { late } from '../../ui/late.tsx';

/** The menu of a server, loaded on first use. */
export const ServerMenu = late(() => import('./ServerItems.tsx'));
