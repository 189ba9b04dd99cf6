export { Inbox } from './Inbox.tsx';
export { InboxTools } from './InboxTools.tsx';
