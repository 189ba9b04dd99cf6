import { keep, kept } from '../../ui/kept.ts';

/** The panel's minimum, maximum and default width in px. */
export const LEAST = 288;
export const MOST = 720;
export const USUAL = 384;

const KEY = 'palaver.panel';

const put = (width: number) => document.documentElement.style.setProperty('--panel-width', `${width}px`);

/** Applies the stored width and returns it. */
export function widthKept(): number {
  const width = Number(kept(KEY)) || USUAL;
  put(width);
  return width;
}

/** Limits a width to the minimum, the maximum and half of the window, then applies, stores and returns it. */
export function keepWidth(wanted: number): number {
  const width = Math.round(Math.max(LEAST, Math.min(MOST, innerWidth / 2, wanted)));
  put(width);
  keep(KEY, String(width));
  return width;
}
