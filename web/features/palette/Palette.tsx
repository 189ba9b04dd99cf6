import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import type { Route } from '../../routes.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { createStore, toast } from '../../ui/index.ts';
import type { LayerProps } from './PaletteLayer.tsx';
import { visit } from './recent.ts';

interface PaletteProps {
  route: Route;
  /** True for platform admins, who also find the platform's pages. */
  isAdmin: boolean;
}

const load = () => import('./PaletteLayer.tsx');
const isOpen = createStore(false);

/** Opens the palette. Keystrokes typed while it loads go to its text field. */
export function openPalette(): void {
  listenAhead(() => isOpen.set(false));
  isOpen.set(true);
}

/**
 * The command palette, which Ctrl K opens anywhere. It jumps to channels, people, servers and settings, and
 * runs actions, by fuzzy match. Loaded on first use; keystrokes typed in the meantime are not lost.
 */
export function Palette({ route, isAdmin }: PaletteProps) {
  const isWanted = isOpen.use();
  const channelId = route.page === 'server' ? route.channelId : undefined;
  useEffect(() => {
    if (channelId !== undefined) visit(channelId);
  }, [channelId]);
  const [Layer, setLayer] = useState<ComponentType<LayerProps>>();
  // Listens before the first paint, so no key is lost.
  useLayoutEffect(() => {
    const keyed = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      // Preloads on the modifier key, which is pressed a moment before the K.
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
  return Layer ? <Layer {...{ route, isAdmin }} isOpen={isWanted} onClose={() => isOpen.set(false)} /> : null;
}
