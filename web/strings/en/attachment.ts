import { number } from '../format.ts';

/** The texts of files. */
export const attachment = {
  files: 'Files',
  open: (name: string) => `Open ${name}`,
  download: (name: string) => `Download ${name}`,
  save: 'Download',
  failed: 'This picture cannot be loaded',
  again: 'Try again',
  more: (count: number) => `+${number(count)}`,
  place: (at: number, of: number) => `${number(at)} of ${number(of)}`,
  previous: 'Previous picture',
  next: 'Next picture',
  zoomIn: 'Show in full size',
  zoomOut: 'Fit into the window',
  original: 'Open the original',
};
