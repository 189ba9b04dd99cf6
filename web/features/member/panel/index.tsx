export { Members } from './Members.tsx';
