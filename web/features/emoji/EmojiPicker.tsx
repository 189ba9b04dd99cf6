import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { emoji as t } from '../../strings/en/conversation.ts';
import { listenAhead, typedAhead } from '../../ui/ahead.ts';
import { type Anchor, ErrorBoundary, Popover, Spinner } from '../../ui/index.ts';
import './EmojiPicker.css';

const Picker = lazy(() => import('./Picker.tsx'));

export interface EmojiPickerProps {
  /** The anchor of the picker, usually the button that opened it. */
  anchor: Anchor;
  /** The server whose custom emoji are offered. */
  serverId: string;
  /** Called for each chosen emoji, with `:name:` for a custom one. The picker closes after the first, unless Shift is held. */
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji in a popover, with search. Its content is loaded on first use. */
export function EmojiPicker({ anchor, serverId, onPick, onClose }: EmojiPickerProps) {
  // Keeps keystrokes typed while the field loads.
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
          <Picker serverId={serverId} onPick={onPick} onClose={onClose} />
        </Suspense>
      </ErrorBoundary>
    </Popover>
  );
}
