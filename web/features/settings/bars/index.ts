export { Bars } from './Bars.tsx';
