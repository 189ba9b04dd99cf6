export { Background } from './Background.tsx';
export { DeviceNotices } from './DeviceNotices.tsx';
export { useDeviceState } from './device.ts';
export { InboxButton } from './InboxButton.tsx';
