import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { navigate, pathOf, type Route } from './routes.ts';

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: Route | string;
  /** Replaces the current history entry. */
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link within the client. The browser handles clicks with a modifier key or another mouse button. */
export function Link({ to, replace = false, onClick, ...rest }: LinkProps) {
  const href = typeof to === 'string' ? to : pathOf(to);
  const go = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || rest.target) return;
    event.preventDefault();
    navigate(href, { replace });
  };
  return <a {...rest} href={href} onClick={go} />;
}
