export { askAll } from './askAll.ts';
export { askForMember, nameIn, useBeside, useNamesIn } from './beside.ts';
export {
  type Group,
  groupNamed,
  groupsIn,
  groupText,
  mayMentionAll,
  mentionableGroups,
  mentions,
} from './groups.ts';
export { LookAlike } from './LookAlike.tsx';
export { lineIn } from './lineIn.ts';
export { ProfileLayer } from './ProfileLayer.tsx';
export { showProfile } from './profile.ts';
export { useLine } from './useLine.ts';
export { directWith, openDirect } from './write.ts';
