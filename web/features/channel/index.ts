export { ChannelHeader } from './ChannelHeader.tsx';
export { ChannelList } from './ChannelList.tsx';
export { ChannelRow, iconOf } from './ChannelRow.tsx';
export { ChannelDialog, createChannel } from './dialog.tsx';
