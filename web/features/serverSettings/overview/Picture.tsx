import { type DragEvent, useRef, useState } from 'react';
import { api, type Records, uploadPicture } from '../../../api/index.ts';
import { overviewSettings as t } from '../../../strings/en/overviewSettings.ts';
import { Avatar, Button, ErrorText, Icon, names } from '../../../ui/index.ts';
import './overview.css';

/** Bytes of a picture, at most. */
const MOST = 5_000_000;

interface PictureProps {
  server: Records['Server'];
  what: 'icon' | 'banner';
  isClosed: boolean;
}

/** The icon or the banner of a server: chosen, dropped or pasted, and taken away. */
export function Picture({ server, what, isClosed }: PictureProps) {
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const input = useRef<HTMLInputElement>(null);
  const words = t[what];
  const source = server[what];

  async function run(action: () => Promise<unknown>): Promise<void> {
    setError(undefined);
    setBusy(true);
    await action().catch(setError);
    setBusy(false);
  }

  function send(file: File | undefined): void {
    if (!file || isClosed || isBusy) return;
    if (!file.type.startsWith('image/')) setError(new Error(t.noPicture));
    else if (file.size > MOST) setError(new Error(t.tooLarge));
    else run(() => uploadPicture(server.id, what, file));
  }

  const over = (event: DragEvent) => {
    if (isClosed || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };

  return (
    <fieldset
      className={names('setting-picture', isOver && 'setting-picture-over')}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        send(event.dataTransfer.files[0]);
      }}
    >
      <legend className="only-read">{words.label}</legend>
      <div className="setting-picture-frame">
        {what === 'icon' ? (
          <Avatar id={server.id} name={server.name} src={source} size={80} isServer />
        ) : source ? (
          <img className="setting-picture-image" src={source} alt="" />
        ) : (
          <span className="setting-picture-none">
            <Icon name="image" size={24} />
          </span>
        )}
      </div>
      <div className="setting-picture-words">
        <p className="setting-picture-label">{words.label}</p>
        <p className="setting-picture-hint">{words.hint}</p>
        {!isClosed && (
          <div className="setting-picture-actions">
            <input
              ref={input}
              type="file"
              hidden
              accept="image/png,image/jpeg,image/gif,image/webp"
              onChange={(event) => {
                send(event.currentTarget.files?.[0]);
                event.currentTarget.value = '';
              }}
            />
            <Button size="small" icon="upload" isPending={isBusy} onClick={() => input.current?.click()}>
              {source ? words.change : words.choose}
            </Button>
            {source && !isBusy && (
              <Button
                size="small"
                kind="quiet"
                onClick={() => run(() => api(server.id).serverUpdate({ serverId: server.id, [what]: null }))}
              >
                {words.take}
              </Button>
            )}
          </div>
        )}
      </div>
      {error !== undefined && (
        <ErrorText error={error}>{isOurs(error) ? error.message : undefined}</ErrorText>
      )}
    </fieldset>
  );
}

const isOurs = (error: unknown): error is Error => error instanceof Error && !('code' in error);
