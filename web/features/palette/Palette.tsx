import { type ComponentType, useEffect, useState } from 'react';
import type { Route } from '../../routes.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { createStore, toast } from '../../ui/index.ts';
import type { LayerProps } from './PaletteLayer.tsx';

interface PaletteProps {
  route: Route;
  /** Runs the platform: its pages are found, too. */
  isAdmin: boolean;
}

const load = () => import('./PaletteLayer.tsx');
const isOpen = createStore(false);

/** Opens it. What is typed before its field is there belongs to it. */
export function openPalette(): void {
  listenAhead(() => isOpen.set(false));
  isOpen.set(true);
}

/**
 * Opens by Ctrl K anywhere: goes to any channel, person, server or setting, and does any action, by some letters of its name. It is
 * loaded when it is first wanted; what is typed until then is not lost.
 */
export function Palette(props: PaletteProps) {
  const isWanted = isOpen.use();
  const [Layer, setLayer] = useState<ComponentType<LayerProps>>();
  useEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      // The key is held for a moment before the next: by then the palette may be here.
      if (key === 'Control' || key === 'Meta') load().catch(() => undefined);
      if (key.toLowerCase() !== 'k' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      event.preventDefault();
      if (isOpen.get()) isOpen.set(false);
      else openPalette();
    };
    addEventListener('keydown', keyed);
    return () => removeEventListener('keydown', keyed);
  }, []);
  useEffect(() => {
    if (!isWanted || Layer) return;
    load().then(
      (part) => setLayer(() => part.default),
      (error) => {
        typedAhead();
        isOpen.set(false);
        toast.error(error);
      },
    );
  }, [isWanted, Layer]);
  return Layer ? <Layer {...props} isOpen={isWanted} onClose={() => isOpen.set(false)} /> : null;
}
