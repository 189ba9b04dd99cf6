import { Suspense, useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { bytes } from '../../strings/format.ts';
import { Icon, IconButton, type IconName } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';
import { optional } from '../../ui/missingPart.ts';
import { contentOf, type File, kindOf } from './address.ts';
import { alone, filmBox } from './box.ts';
import { Picture } from './Picture.tsx';
import { formOf, MOST_PREVIEWED } from './textual.ts';
import './Attachments.css';

/** The dialog that shows images at full size, loaded on first use. */
export const Lightbox = late(() => import('./Lightbox.tsx'));
const TextPreview = late(() => import('./TextPreview.tsx'));
const PdfPreview = late(() => import('./PdfPreview.tsx'));
// If the player cannot be loaded, the message stays readable.
const Player = optional(() => import('./Player.tsx'));

/** The maximum number of images shown. The last one shows how many more there are. */
const MOST_TILES = 6;

/**
 * A message's attachments: a grid of images, players for video and audio, and cards for other files. Most text
 * files and PDFs have a preview.
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
  return (
    <div className="film">
      <Suspense fallback={<div className="film-frame" style={filmBox(file)} />}>
        <Player file={file} />
      </Suspense>
      <Caption file={file} />
    </div>
  );
}

function iconOf(file: File, hasPreview: boolean): IconName {
  if (kindOf(file) === 'sound') return 'volume-2';
  if (file.type === 'application/zip') return 'file-archive';
  return hasPreview || isPdf(file) || isDocument(file) ? 'file-text' : 'file';
}

const isDocument = ({ type }: File): boolean => /document\.(text|wordprocessingml)/.test(type);
const isPdf = ({ type }: File): boolean => type === 'application/pdf';

function FileCard({ file }: { file: File }) {
  const [isOpen, setOpen] = useState(false);
  const { name, bytes } = file;
  const hasPreview =
    bytes > 0 &&
    bytes <= MOST_PREVIEWED &&
    (isPdf(file) ? navigator.pdfViewerEnabled : formOf(name) !== undefined);
  const Preview = isPdf(file) ? PdfPreview : TextPreview;
  return (
    <>
      <div className="file-card">
        <Icon name={iconOf(file, hasPreview)} size={28} />
        <Caption file={file} />
        {hasPreview && (
          <IconButton
            icon={isOpen ? 'eye-off' : 'eye'}
            label={isOpen ? t.hidePreview({ name }) : t.preview({ name })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        )}
        {kindOf(file) === 'sound' && (
          <Suspense fallback={<div className="player" />}>
            <Player file={file} />
          </Suspense>
        )}
      </div>
      {isOpen && <Preview file={file} onClose={() => setOpen(false)} />}
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
