/** The side of the anchor on which a popover opens. If there is no room, it opens on the other side. */
export type Placement =
  | 'below-start'
  | 'below-end'
  | 'above-start'
  | 'above-end'
  | 'above'
  | 'below'
  | 'end'
  | 'start';

const GAP = 6;
const MARGIN = 8;

/** A rectangle in the viewport, in px. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The left and top position of a box of this size next to the anchor, within the viewport if possible. */
function placeFor(
  anchor: Box,
  size: { width: number; height: number },
  window: { width: number; height: number },
  placement: Placement,
  isRtl: boolean,
): { left: number; top: number } {
  const clamp = (value: number, length: number, whole: number) =>
    Math.max(MARGIN, Math.min(value, whole - length - MARGIN));
  const [side, align = 'centre'] = placement.split('-');

  if (side === 'start' || side === 'end') {
    const wantsRight = (side === 'end') !== isRtl;
    const right = anchor.right + GAP;
    const left = anchor.left - GAP - size.width;
    const fitsRight = right + size.width <= window.width - MARGIN;
    const goesRight = wantsRight ? fitsRight || left < MARGIN : left < MARGIN && fitsRight;
    return {
      left: clamp(goesRight ? right : left, size.width, window.width),
      top: clamp(anchor.top, size.height, window.height),
    };
  }

  const below = anchor.bottom + GAP;
  const above = anchor.top - GAP - size.height;
  const fitsBelow = below + size.height <= window.height - MARGIN;
  const goesBelow = side === 'below' ? fitsBelow || above < MARGIN : above < MARGIN && fitsBelow;
  const isLeft = (align === 'start') !== isRtl;
  const left =
    align === 'centre'
      ? (anchor.left + anchor.right - size.width) / 2
      : isLeft
        ? anchor.left
        : anchor.right - size.width;
  return {
    left: clamp(left, size.width, window.width),
    top: clamp(goesBelow ? below : above, size.height, window.height),
  };
}

/** Positions the element next to another element, a rectangle in the viewport, or a point. */
export function place(
  element: HTMLElement,
  anchor: Element | DOMRectReadOnly | { x: number; y: number },
  placement: Placement,
): void {
  const box =
    anchor instanceof Element
      ? anchor.getBoundingClientRect()
      : 'left' in anchor
        ? anchor
        : { left: anchor.x, right: anchor.x, top: anchor.y - GAP, bottom: anchor.y - GAP };
  const { left, top } = placeFor(
    box,
    { width: element.offsetWidth, height: element.offsetHeight },
    { width: document.documentElement.clientWidth, height: window.innerHeight },
    placement,
    getComputedStyle(element).direction === 'rtl',
  );
  element.style.left = `${Math.round(left)}px`;
  element.style.top = `${Math.round(top)}px`;
}
