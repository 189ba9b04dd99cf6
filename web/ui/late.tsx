import { type ComponentType, useEffect, useState } from 'react';
import { listenAhead } from './ahead.ts';
import { toast } from './Toast.tsx';

/**
 * Lazy-loads a component when it is first shown, or when `load` is called. If the component has a field, keys
 * typed in the meantime go to that field. If loading fails, a toast is shown and the component closes, so the
 * page behind it remains usable.
 */
export function late<P extends { onClose: () => void }>(
  load: () => Promise<{ default: ComponentType<P> }>,
  { hasField = false } = {},
): ComponentType<P> & { load: () => void } {
  let part: ComponentType<P> | undefined;
  const ask = async () => {
    part ??= (await load()).default;
  };
  const Late = (props: P) => {
    const [isHere, setHere] = useState(() => {
      if (hasField && !part) listenAhead(props.onClose);
      return part !== undefined;
    });
    // biome-ignore lint/correctness/useExhaustiveDependencies: runs once
    useEffect(() => {
      let isOver = isHere;
      const failed = (error: unknown) => {
        if (isOver) return;
        toast.error(error);
        props.onClose();
      };
      if (!isHere) ask().then(() => isOver || setHere(true), failed);
      return () => {
        isOver = true;
      };
    }, []);
    const Part = part;
    return isHere && Part ? <Part {...props} /> : null;
  };
  return Object.assign(Late, { load: () => void ask().catch(() => undefined) });
}
