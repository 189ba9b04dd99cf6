import { late } from '../../ui/late.tsx';

/** The menu of a channel, beside what opened it. It is loaded when it is first wanted. */
export const ChannelMenu = late(() => import('./ChannelItems.tsx'));
