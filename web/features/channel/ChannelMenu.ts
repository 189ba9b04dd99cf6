import { late } from '../../ui/late.tsx';

/** The menu of a channel, loaded on first use. */
export const ChannelMenu = late(() => import('./ChannelItems.tsx'));

/** The menu of the channel list. */
export const ListMenu = late(() => import('./ListItems.tsx'));
