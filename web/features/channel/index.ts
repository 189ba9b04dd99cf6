export { ChannelHeader } from './ChannelHeader.tsx';
export { ChannelList } from './ChannelList.tsx';
export { ChannelRow, iconOf } from './ChannelRow.tsx';
export { ChannelDialog, createChannel } from './dialog.tsx';
export { channelsInOrder } from './sections.ts';
export { useChannelsInOrder } from './useSections.ts';
