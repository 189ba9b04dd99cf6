import { type RefObject, useEffect, useState } from 'react';

/** True once the element has been visible, even if another element replaces it afterwards. */
export function useSeen(place: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [place]);
  return isSeen;
}
