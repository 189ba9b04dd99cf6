export { DirectMark, useDirectPresence } from './DirectMark.tsx';
export { addPeople, hasRoom, newMessage, renameGroup } from './dialog.tsx';
export { channelName, placeName, useChannelName, useOthers } from './names.ts';
