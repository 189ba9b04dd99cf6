export { useAim } from './aim.ts';
export { Conversation } from './Conversation.tsx';
export { LiveMessages } from './LiveMessages.tsx';
export { Loading } from './Loading.tsx';
export { PendingMessages } from './PendingMessages.tsx';
export { Timeline } from './Timeline.tsx';
export { useSince } from './useSince.ts';
