import { common } from '../../strings/en/common.ts';
import { upload as t } from '../../strings/en/conversation.ts';
import { bytes, percent } from '../../strings/format.ts';
import { Icon, IconButton, type IconName, messageOf } from '../../ui/index.ts';
import { removeFile, retryFile, type Upload, useUploads } from './uploads.ts';
import './UploadList.css';

const iconOf = ({ type }: File): IconName => {
  if (type.startsWith('image/')) return 'image';
  if (type.startsWith('video/')) return 'film';
  if (/zip|compressed|tar/.test(type)) return 'file-archive';
  return type.startsWith('text/') || type === 'application/pdf' ? 'file-text' : 'file';
};

/** The attachments of the next message in a channel or thread, each with its progress and a remove button. */
export function UploadList({ place }: { place: string }) {
  const rows = useUploads(place);
  if (rows.length === 0) return null;
  return (
    <ul className="upload-list" aria-label={t.list}>
      {rows.map((row) => (
        <UploadItem key={row.key} place={place} row={row} />
      ))}
    </ul>
  );
}

function UploadItem({ place, row }: { place: string; row: Upload }) {
  const { key, file, state, share, picture, error } = row;
  const hasFailed = state === 'failed';
  const about = {
    waiting: t.waiting,
    going: share >= 1 ? t.checking : percent(Math.floor(share * 100) / 100),
    done: bytes(file.size),
    failed: messageOf(error),
  }[state];
  return (
    <li className={hasFailed ? 'upload upload-failed' : 'upload'}>
      <span className="upload-picture">
        {picture ? <img src={picture} alt="" /> : <Icon name={iconOf(file)} size={22} />}
      </span>
      <span className="upload-words">
        <span className="ellipsis small upload-name" title={file.name}>
          <bdi>{file.name}</bdi>
        </span>
        <span className="ellipsis tiny muted upload-about" role={hasFailed ? 'alert' : undefined}>
          {about}
        </span>
      </span>
      {hasFailed && (
        <IconButton
          size="small"
          icon="rotate-ccw"
          label={t.again({ name: file.name })}
          onClick={() => retryFile(place, key)}
        />
      )}
      <IconButton
        size="small"
        icon="x"
        label={state === 'going' ? t.cancel({ name: file.name }) : common.removeNamed({ name: file.name })}
        onClick={() => removeFile(place, key)}
      />
      {(state === 'going' || state === 'waiting') && (
        <progress
          className="upload-progress"
          aria-label={t.progress({ name: file.name })}
          value={share}
          max={1}
        />
      )}
    </li>
  );
}
