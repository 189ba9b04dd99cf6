import { late } from '../../ui/late.tsx';

export { ServerButton } from './ServerButton.tsx';
export { ServerMenu } from './ServerMenu.ts';

/** Asks for what a new server needs, makes it, and goes there. It is loaded when it is first opened. */
export const CreateServer = late(() => import('./CreateServer.tsx'), { hasField: true });
