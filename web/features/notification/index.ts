export { Background } from './Background.tsx';
export { DeviceNotices } from './DeviceNotices.tsx';
export { InboxButton } from './InboxButton.tsx';
