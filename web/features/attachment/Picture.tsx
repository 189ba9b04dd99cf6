import { useState } from 'react';
import { common } from '../../strings/en/common.ts';
import { attachment as t } from '../../strings/en/conversation.ts';
import { Button, names } from '../../ui/index.ts';
import { type File, pictureFor } from './address.ts';
import { type Box, boxOf } from './box.ts';
import { Placeholder } from './Placeholder.tsx';

interface PictureProps {
  file: File;
  most: Box;
  /** Set if the image is one of several in a grid and fills its cell. */
  isTile: boolean;
  onOpen: () => void;
}

/** An image in a message. Its box has the final size before the image loads, which prevents layout shift. */
export function Picture({ file, most, isTile, onOpen }: PictureProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const { width, height } = boxOf(file, most);
  if (state === 'failed')
    return (
      <div
        className={names('picture picture-failed', isTile && 'picture-tile')}
        style={isTile ? undefined : { inlineSize: `${width}px`, aspectRatio: `${width} / ${height}` }}
      >
        <span>{t.failed}</span>
        <Button
          size="small"
          icon="refresh-cw"
          onClick={() => {
            setAttempt(attempt + 1);
            setState('loading');
          }}
        >
          {common.tryAgain}
        </Button>
      </div>
    );
  return (
    <button
      type="button"
      className={names('picture', isTile && 'picture-tile')}
      style={isTile ? undefined : { inlineSize: `${width}px`, aspectRatio: `${width} / ${height}` }}
      aria-label={t.open({ name: file.name })}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {state === 'loading' && file.thumbhash && <Placeholder thumbhash={file.thumbhash} />}
      <img
        key={attempt}
        className={state === 'shown' ? 'picture-image picture-image-shown' : 'picture-image'}
        src={pictureFor(file, width, globalThis.devicePixelRatio ?? 1)}
        alt={file.name}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
      />
    </button>
  );
}
