export { ChannelHeader } from './ChannelHeader.tsx';
export { ChannelList } from './ChannelList.tsx';
export { iconOf } from './ChannelRow.tsx';
export { ChannelDialog, CreateChannel } from './dialogs.tsx';
export { ALWAYS } from './levels.ts';
