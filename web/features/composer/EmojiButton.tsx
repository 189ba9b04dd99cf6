import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { composer as t } from '../../strings/en/conversation.ts';
import { hasMouse, IconButton } from '../../ui/index.ts';
import { EmojiPicker } from '../emoji/index.ts';

interface EmojiButtonProps {
  /** The text field, which gets the focus back afterwards. */
  field: RefObject<HTMLTextAreaElement | null>;
  serverId: string;
  onPick: (emoji: string) => void;
}

/** Opens the emoji picker. */
export function EmojiButton({ field, serverId, onPick }: EmojiButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // Runs after the picker has restored the focus and before the next key, such as the Enter that sends the
  // message.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen && hasMouse()) field.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen, field]);
  return (
    <>
      <IconButton
        ref={button}
        icon="smile"
        label={t.emoji}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && (
        <EmojiPicker anchor={button} serverId={serverId} onPick={onPick} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
