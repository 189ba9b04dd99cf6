import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { ServerButton } from './ServerButton.tsx';
export { ServerMenu } from './ServerMenu.ts';

const CreateServer = late(() => import('./CreateServer.tsx'), { hasField: true });

/** Asks for what a new server needs, makes it, and goes there. */
export const createServer = (): void => openDialog((close) => <CreateServer onClose={close} />);
