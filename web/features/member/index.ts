export { ProfileLayer } from './ProfileLayer.tsx';
export { showProfile } from './profile.ts';
