export { useAim } from './aim.ts';
export { Conversation } from './Conversation.tsx';
export type { Aim } from './goal.ts';
export { LiveMessages } from './LiveMessages.tsx';
export { Loading } from './Loading.tsx';
export { PendingMessages } from './PendingMessages.tsx';
export { Timeline } from './Timeline.tsx';
export { useReached } from './useReached.ts';
export { useSince } from './useSince.ts';
