import { useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { bytes } from '../../strings/format.ts';
import { Icon, IconButton, type IconName } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';
import { contentOf, type File, kindOf } from './address.ts';
import { boxOf } from './box.ts';
import { Picture } from './Picture.tsx';
import { Player } from './Player.tsx';
import { formOf, MOST_PREVIEWED } from './textual.ts';
import './Attachments.css';

const Lightbox = late(() => import('./Lightbox.tsx'));
const TextPreview = late(() => import('./TextPreview.tsx'));

/** Maximum size of an image that is the only one, in px. */
const alone = { width: 480, height: 340 };
/** The maximum number of images shown. The last one shows how many more there are. */
const MOST_TILES = 6;

/**
 * A message's attachments: a grid of images, players for video and audio, and download links for other
 * files.
 */
export function Attachments({ files }: { files: readonly File[] }) {
  const pictures = files.filter((file) => kindOf(file) === 'picture');
  return (
    <div className="stack attachments">
      {pictures.length > 0 && <Gallery pictures={pictures} />}
      {files.map((file) => {
        const kind = kindOf(file);
        if (kind === 'picture') return null;
        if (kind === 'film') return <Film key={file.id} file={file} />;
        return <FileCard key={file.id} file={file} />;
      })}
    </div>
  );
}

function Gallery({ pictures }: { pictures: readonly File[] }) {
  const [open, setOpen] = useState<number>();
  const shown = pictures.slice(0, MOST_TILES);
  const more = pictures.length - shown.length;
  const isTile = shown.length > 1;
  return (
    <>
      <div className={isTile ? 'gallery' : 'gallery-one'} data-count={shown.length}>
        {shown.map((file, at) => (
          <div key={file.id} className="gallery-place">
            <Picture file={file} most={alone} isTile={isTile} onOpen={() => setOpen(at)} />
            {more > 0 && at === shown.length - 1 && (
              <span className="gallery-more">{t.more({ count: more })}</span>
            )}
          </div>
        ))}
      </div>
      {open !== undefined && <Lightbox pictures={pictures} first={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function Film({ file }: { file: File }) {
  const { width, height } = boxOf(file, alone);
  return (
    <div className="film">
      {/* biome-ignore lint/a11y/useMediaCaption: uploads have no captions */}
      <video
        className="film-frame"
        src={contentOf(file)}
        controls
        preload="metadata"
        playsInline
        width={width}
        height={height}
        style={{ aspectRatio: `${width} / ${height}` }}
        aria-label={file.name}
      />
      <Caption file={file} />
    </div>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  'application/pdf': 'file-text',
  'application/zip': 'file-archive',
  'audio/mpeg': 'volume-2',
};

function FileCard({ file }: { file: File }) {
  const [isOpen, setOpen] = useState(false);
  const { name, bytes } = file;
  const hasPreview = bytes > 0 && bytes <= MOST_PREVIEWED && formOf(name) !== undefined;
  return (
    <>
      <div className="file-card">
        <Icon name={icons[file.type] ?? (hasPreview ? 'file-text' : 'file')} size={28} />
        <Caption file={file} />
        {hasPreview && (
          <IconButton
            icon={isOpen ? 'eye-off' : 'eye'}
            label={isOpen ? t.hidePreview({ name }) : t.preview({ name })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        {kindOf(file) === 'sound' && <Player file={file} />}
      </div>
      {isOpen && <TextPreview file={file} onClose={() => setOpen(false)} />}
    </>
  );
}

const Caption = ({ file }: { file: File }) => (
  <div className="file-caption">
    <a
      className="ellipsis file-name"
      href={contentOf(file, { isSaved: true })}
      download={file.name}
      aria-label={t.download({ name: file.name })}
    >
      <bdi>{file.name}</bdi>
    </a>
    <span className="file-size">{bytes(file.bytes)}</span>
  </div>
);
