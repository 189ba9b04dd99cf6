import { late } from '../../ui/late.tsx';

/** The menu of a server, beside what opened it. It is loaded when it is first wanted. */
export const ServerMenu = late(() => import('./ServerItems.tsx'));
