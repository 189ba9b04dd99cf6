import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { type Anchor, ErrorBoundary, Popover, Spinner } from '../../ui/index.ts';
import './EmojiPicker.css';

const Picker = lazy(() => import('./Picker.tsx'));

export interface EmojiPickerProps {
  /** What it lies beside: usually the button that opened it. */
  anchor: Anchor;
  /** Called for each emoji chosen. It closes after the first, unless Shift is held. */
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji in a popover, with a search by words. It loads its parts when it is first opened. */
export function EmojiPicker({ anchor, onPick, onClose }: EmojiPickerProps) {
  // Letters that come before its field belong to it.
  useState(() => listenAhead(onClose));
  useLayoutEffect(() => () => void typedAhead(), []);
  return (
    <Popover anchor={anchor} onClose={onClose} placement="above-end" label={t.label} className="emoji-picker">
      <ErrorBoundary>
        <Suspense
          fallback={
            <div className="emoji-picker-loading">
              <Spinner />
            </div>
          }
        >
          <Picker onPick={onPick} onClose={onClose} />
        </Suspense>
      </ErrorBoundary>
    </Popover>
  );
}
