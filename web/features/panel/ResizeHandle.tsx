import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { panel as t } from '../../strings/en/panels.ts';
import { keepWidth, LEAST, MOST, USUAL, widthKept } from './width.ts';

/** Pixels per key press. */
const STEP = 24;

/**
 * The edge of the panel. Dragging it or pressing arrow keys changes the stored width; a double click resets
 * it.
 */
export function ResizeHandle() {
  const [width, setWidth] = useState(widthKept);
  const set = (next: number) => setWidth(keepWidth(next));
  const isRtl = () => getComputedStyle(document.documentElement).direction === 'rtl';
  const drawn = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    set(isRtl() ? event.clientX : innerWidth - event.clientX);
  };
  const keyed = (event: KeyboardEvent<HTMLDivElement>) => {
    const wider = isRtl() ? 'ArrowRight' : 'ArrowLeft';
    const narrower = isRtl() ? 'ArrowLeft' : 'ArrowRight';
    if (event.key === wider) set(width + STEP);
    else if (event.key === narrower) set(width - STEP);
    else if (event.key === 'Home') set(LEAST);
    else if (event.key === 'End') set(MOST);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: hr can't be focused
    <div
      className="side-panel-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={t.resize}
      aria-valuenow={width}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      tabIndex={0}
      onKeyDown={keyed}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drawn}
      onDoubleClick={() => set(USUAL)}
    />
  );
}
