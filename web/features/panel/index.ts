export { ProfileLayer } from '../member/index.ts';
export { SidePanel } from './SidePanel.tsx';
