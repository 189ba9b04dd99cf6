import { type ReactNode, useEffect, useRef } from 'react';
import { place } from './place.ts';
import './Tooltip.css';

/** Hover delay in ms before a tooltip appears. There is no delay right after another tooltip. */
const REST = 400;
const WARM = 300;
const GRACE = 120;

/** Adds a tooltip to its children. Any element can have one with `data-tip="…"`; an IconButton shows its label. */
export const Tooltip = ({ text, children }: { text: string; children: ReactNode }) => (
  <span className="tooltip-target" data-tip={text}>
    {children}
  </span>
);

/**
 * Shows the tooltips of the whole page in `tip`. Uses event delegation, so buttons need no listeners of their
 * own. Returns a cleanup function.
 */
function follow(tip: HTMLElement): () => void {
  let target: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  let hiddenAt = Number.NEGATIVE_INFINITY;

  const targetOf = (event: Event) =>
    event.target instanceof Element
      ? (event.target.closest<HTMLElement>('[data-tip]') ?? undefined)
      : undefined;

  function show(element: HTMLElement): void {
    hide();
    const { tip: words = '', tipKeys } = element.dataset;
    if (!words || !element.isConnected || element.ariaExpanded === 'true') return;
    target = element;
    const keys = document.createElement('kbd');
    keys.textContent = tipKeys ?? '';
    tip.replaceChildren(words, ...(tipKeys ? [keys] : []));
    tip.showPopover();
    place(
      tip,
      element.getBoundingClientRect().width > 0 ? element : (element.firstElementChild ?? element),
      'above',
    );
    // Adds no description if the text is already the accessible name, which would be announced twice.
    if (element.ariaLabel !== words) element.setAttribute('aria-describedby', tip.id);
  }

  function hide(): void {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
    if (!target) return;
    if (target.getAttribute('aria-describedby') === tip.id) target.removeAttribute('aria-describedby');
    target = undefined;
    hiddenAt = performance.now();
    tip.hidePopover();
  }

  const enter = (event: PointerEvent) => {
    if (event.pointerType === 'touch' || tip.contains(event.target as Node)) return clearTimeout(timer);
    const element = targetOf(event);
    if (element && element === target) return clearTimeout(timer);
    clearTimeout(timer);
    const isWarm = target !== undefined || performance.now() - hiddenAt < WARM;
    // The tooltip stays for a moment, because the pointer may be moving onto it.
    timer = element ? setTimeout(show, isWarm ? 0 : REST, element) : setTimeout(hide, GRACE);
  };
  const focused = (event: FocusEvent) => {
    const element = targetOf(event);
    if (!element?.matches(':focus-visible')) return;
    // Focusing an element may scroll the page, and the scroll event comes before the next frame.
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => show(element));
  };
  const keyed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') hide();
  };

  // Scrolling does not cancel a pending hover.
  const scrolled = () => {
    if (target) hide();
  };

  const stop = new AbortController();
  const options = { capture: true, passive: true, signal: stop.signal };
  document.addEventListener('pointerover', enter, options);
  document.addEventListener('focusin', focused, options);
  document.addEventListener('focusout', hide, options);
  document.addEventListener('pointerdown', hide, options);
  document.addEventListener('keydown', keyed, options);
  document.addEventListener('scroll', scrolled, options);
  return () => {
    hide();
    stop.abort();
  };
}

/** Renders the page's tooltip. Rendered by `Layers`. */
export function TooltipLayer() {
  const tip = useRef<HTMLDivElement>(null);
  useEffect(() => (tip.current ? follow(tip.current) : undefined), []);
  return <div ref={tip} id="tooltip" className="tiny tooltip" popover="manual" role="tooltip" />;
}
