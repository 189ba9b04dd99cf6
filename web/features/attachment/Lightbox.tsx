import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { common } from '../../strings/en/common.ts';
import { attachment as t } from '../../strings/en/conversation.ts';
import { bytes } from '../../strings/format.ts';
import { Dialog, Icon, IconButton, Spinner } from '../../ui/index.ts';
import { contentOf, type File } from './address.ts';
import './Lightbox.css';

interface LightboxProps {
  pictures: readonly File[];
  /** The index of the first image to show. */
  first: number;
  onClose: () => void;
}

/** A message's images at full size. Arrow keys switch between them; Enter or a click zooms. */
export default function Lightbox({ pictures, first, onClose }: LightboxProps) {
  const [at, setAt] = useState(first);
  const [isZoomed, setZoomed] = useState(false);
  const file = pictures[at] as File;
  const go = (by: number) => {
    setZoomed(false);
    setAt((at + by + pictures.length) % pictures.length);
  };
  const keyed = (event: KeyboardEvent) => {
    if (pictures.length < 2 || event.ctrlKey || event.metaKey || event.altKey) return;
    const isRtl = document.documentElement.dir === 'rtl';
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    go(isRtl ? -by : by);
  };
  return (
    <Dialog title={file.name} size="full" onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles arrow keys wherever the focus is in the dialog */}
      <div className="lightbox" onKeyDown={keyed}>
        <Stage key={file.id} file={file} isZoomed={isZoomed} onZoom={() => setZoomed(!isZoomed)} />
        <footer className="lightbox-foot">
          {pictures.length > 1 && (
            <>
              <IconButton icon="chevron-left" label={t.previous} onClick={() => go(-1)} />
              <span className="lightbox-place" role="status">
                {t.place({ at: at + 1, of: pictures.length })}
              </span>
              <IconButton icon="chevron-right" label={t.next} onClick={() => go(1)} />
            </>
          )}
          <span className="lightbox-size">{bytes(file.bytes)}</span>
          <a className="lightbox-link" href={contentOf(file)} target="_blank" rel="noopener">
            <Icon name="external-link" size={16} />
            {t.original}
          </a>
          <a className="lightbox-link" href={contentOf(file, { isSaved: true })} download={file.name}>
            <Icon name="download" size={16} />
            {common.download}
          </a>
        </footer>
      </div>
    </Dialog>
  );
}

function Stage({ file, isZoomed, onZoom }: { file: File; isZoomed: boolean; onZoom: () => void }) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  const isSmall = file.previews.includes('large') && !isZoomed && file.type !== 'image/gif';
  return (
    <button
      ref={button}
      type="button"
      className={isZoomed ? 'lightbox-stage lightbox-stage-zoomed' : 'lightbox-stage'}
      aria-label={isZoomed ? t.zoomOut : t.zoomIn}
      onClick={onZoom}
    >
      {state === 'loading' && <Spinner />}
      {state === 'failed' ? (
        <span>{t.failed}</span>
      ) : (
        <img
          className="lightbox-picture"
          src={contentOf(file, isSmall ? { preview: 'large' } : {})}
          alt={file.name}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </button>
  );
}
