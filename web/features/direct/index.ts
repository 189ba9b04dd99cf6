export { DirectMark, useDirectPresence } from './DirectMark.tsx';
export { addPeople, newMessage, renameGroup } from './dialog.tsx';
export { channelName, placeName, useChannelName, useOthers } from './names.ts';
export { hasRoom } from './room.ts';
