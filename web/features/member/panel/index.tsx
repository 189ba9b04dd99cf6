export { MemberGroups, Members } from './Members.tsx';
