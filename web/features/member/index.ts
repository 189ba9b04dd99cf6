export { askForMember, nameIn, useBeside, useNamesIn } from './beside.ts';
export { lineIn } from './lineIn.ts';
export { ProfileLayer } from './ProfileLayer.tsx';
export { showProfile } from './profile.ts';
