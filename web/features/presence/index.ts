export { useStatusItems } from './items.ts';
export { ownPresence, saveOwn } from './own.ts';
export { PresenceLayer } from './PresenceLayer.tsx';
