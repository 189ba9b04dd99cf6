export { ChannelHeader } from './ChannelHeader.tsx';
export { ChannelList } from './ChannelList.tsx';
export { ChannelRow } from './ChannelRow.tsx';
export { browseChannels, ChannelDialog, createChannel } from './dialog.tsx';
export { iconOf } from './iconOf.ts';
export { listedChannels, useChannelsInOrder } from './useSections.ts';
