import { openDialog } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';

export { ServerButton } from './ServerButton.tsx';
export { ServerMenu } from './ServerMenu.ts';

const CreateServer = late(() => import('./CreateServer.tsx'), { hasField: true });

export const createServer = (): void => openDialog((close) => <CreateServer onClose={close} />);
