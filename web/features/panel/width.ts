import { keep, kept } from '../../ui/kept.ts';

/** The width of the panel in px: the least, the most, and the one that it has at first. */
export const LEAST = 288;
export const MOST = 720;
export const USUAL = 384;

const KEY = 'palaver.panel';

const put = (width: number) => document.documentElement.style.setProperty('--panel-width', `${width}px`);

/** The width that this browser has kept; puts it to use. */
export function widthKept(): number {
  const width = Number(kept(KEY)) || USUAL;
  put(width);
  return width;
}

/** Takes a width into use, within the bounds, and keeps it. */
export function keepWidth(wanted: number): number {
  const width = Math.round(Math.max(LEAST, Math.min(MOST, innerWidth / 2, wanted)));
  put(width);
  keep(KEY, String(width));
  return width;
}
