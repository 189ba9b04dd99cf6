import { useEffect, useState } from 'react';
import { common, ui as t } from '../strings/en/common.ts';
import { IconButton } from './Button.tsx';
import { copyText } from './clipboard.ts';
import { toast } from './Toast.tsx';
import './Copy.css';

interface CopyProps {
  /** The text to copy. */
  text: string;
  /** The button's label, if not "Copy". */
  label?: string;
  /** Shows the text in a frame before the button. For keys, addresses and commands. */
  isShown?: boolean;
}

/** A button that copies text and confirms that it did. */
export function Copy({ text, label = t.copy, isShown }: CopyProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(setDone, 2000, false);
    return () => clearTimeout(timer);
  }, [isDone]);
  async function copy(): Promise<void> {
    if (await copyText(text)) setDone(true);
    else toast.show(t.copyFailed, { kind: 'bad' });
  }
  const button = (
    <>
      <IconButton
        size="small"
        icon={isDone ? 'check' : 'copy'}
        label={isDone ? common.copied : label}
        className={isDone ? 'copy-done' : undefined}
        onClick={copy}
      />
      <span className="only-read" role="status">
        {isDone && common.copied}
      </span>
    </>
  );
  return isShown ? (
    <span className="copy">
      <code className="copy-text">{text}</code>
      {button}
    </span>
  ) : (
    button
  );
}
