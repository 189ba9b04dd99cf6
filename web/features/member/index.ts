export { askForMember, nameIn, useBeside, useNamesIn } from './beside.ts';
export { LookAlike } from './LookAlike.tsx';
export { lineIn } from './lineIn.ts';
export { ProfileLayer } from './ProfileLayer.tsx';
export { showProfile } from './profile.ts';
export { directWith, openDirect } from './write.ts';
