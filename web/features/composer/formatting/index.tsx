import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { common } from '../../../strings/en/common.ts';
import { formatting as t } from '../../../strings/en/writing.ts';
import { isApple } from '../../../ui/apple.ts';
import { IconButton, type IconName, openDialog } from '../../../ui/index.ts';
import { itemFor, rove, useRoving } from '../../../ui/roving.ts';
import { applyFormat } from './apply.ts';
import type { Format } from './change.ts';
import { FormattingHelp } from './FormattingHelp.tsx';
import { Preview } from './Preview.tsx';

const icons: Record<Format, IconName> = {
  bold: 'bold',
  italic: 'italic',
  strike: 'strikethrough',
  link: 'link',
  ordered: 'list-ordered',
  bulleted: 'list',
  quote: 'quote',
  code: 'code',
  block: 'square-terminal',
};
const formats = Object.entries(icons) as [Format, IconName][];

export interface FormatBarProps {
  field: RefObject<HTMLTextAreaElement | null>;
  serverId: string;
  channelId: string;
  /** Called if the toolbar cannot be loaded. */
  onClose: () => void;
}

/** The formatting toolbar of a text field, and the preview. It is one tab stop; Escape returns to the field. */
export default function FormatBar({ field, serverId, channelId }: FormatBarProps) {
  const root = useRef<HTMLDivElement>(null);
  const [hasPreview, setPreview] = useState(false);
  useRoving(root, 'button');
  function keyed(event: KeyboardEvent<HTMLDivElement>): void {
    // Letters and arrow keys must not reach the list around the composer. Shortcuts such as Ctrl K work here,
    // too.
    if (!event.ctrlKey && !event.metaKey && !event.altKey && event.key !== 'Tab') event.stopPropagation();
    if (event.key === 'Escape') field.current?.focus();
    else {
      const bar = event.currentTarget;
      const item = itemFor(event, bar, 'button', 'horizontal', true);
      if (!item) return;
      rove(bar, 'button', item);
    }
    event.preventDefault();
  }
  return (
    <>
      {hasPreview && <Preview {...{ field, serverId, channelId }} />}
      <div
        ref={root}
        className="format-bar"
        role="toolbar"
        aria-label={t.label}
        onKeyDown={keyed}
        // The field keeps the focus and its selection.
        onMouseDown={(event) => event.preventDefault()}
      >
        {formats.map(([format, icon]) => {
          const [label, keys, keysOnApple] = t.formats[format];
          return (
            <IconButton
              key={format}
              size="small"
              icon={icon}
              label={label}
              keys={isApple ? keysOnApple : keys}
              onClick={() => field.current && applyFormat(field.current, format)}
            />
          );
        })}
        <IconButton
          size="small"
          icon="eye"
          label={common.preview}
          isOn={hasPreview}
          onClick={() => setPreview(!hasPreview)}
        />
        <IconButton
          size="small"
          icon="info"
          label={t.help}
          aria-haspopup="dialog"
          onClick={() => openDialog((close) => <FormattingHelp onClose={close} />)}
        />
      </div>
    </>
  );
}
