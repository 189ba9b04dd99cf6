export { ProfileLayer } from '../member/index.ts';
export { useNarrow } from './parts/useNarrow.ts';
export { SidePanel } from './SidePanel.tsx';
