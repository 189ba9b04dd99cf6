import { navigate, routeOf } from '../../../routes.ts';
import { listenAhead } from '../../../ui/ahead.ts';

/**
 * Ctrl F opens the search panel. Pressed again in the panel's field, it opens the browser's own search.
 * Returns a function that unsubscribes.
 */
export function listenForSearch(): () => void {
  const keyed = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    if (event.shiftKey || event.altKey || event.defaultPrevented) return;
    const route = routeOf(location.href);
    if (route.page !== 'server' || route.channelId === undefined) return;
    if (document.querySelector('dialog[open]')) return;
    const field = document.querySelector<HTMLInputElement>('[data-search-field]');
    if (field && field === document.activeElement) return;
    event.preventDefault();
    if (field) field.select();
    else {
      listenAhead();
      navigate({ ...route, panel: 'search', threadId: undefined });
    }
  };
  addEventListener('keydown', keyed);
  return () => removeEventListener('keydown', keyed);
}
