export { openPalette, Palette } from './Palette.tsx';
