import { late } from '../../ui/late.tsx';

/** Makes a channel, or changes one. It is loaded when it is first opened. */
export const ChannelDialog = late(() => import('./ChannelDialog.tsx'), { hasField: true });
