export { DirectMark, useDirectPresence } from './DirectMark.tsx';
export { newMessage } from './dialog.tsx';
export { channelName, placeName, useChannelName, useOthers } from './names.ts';
