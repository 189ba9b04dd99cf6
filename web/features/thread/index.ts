export { ThreadHead } from './ThreadHead.tsx';
export { ThreadList } from './ThreadList.tsx';
export { ThreadTools } from './ThreadTools.tsx';
export { ThreadView } from './ThreadView.tsx';
