import { type DragEvent, useEffect, useRef, useState } from 'react';
import { api, uploadOwnPicture } from '../../../api/index.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Avatar, Button, ErrorText, toast } from '../../../ui/index.ts';
import { keepAccount, type Myself } from '../../session/index.ts';
import { imageTypes, requireImage } from '../image.ts';
import './picture.css';

/** One's own picture: chosen or dropped, looked at, and only then shown to others. */
export function Picture({ me }: { me: Myself }) {
  const [chosen, setChosen] = useState<{ file: File; url: string }>();
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<unknown>();
  const input = useRef<HTMLInputElement>(null);
  const url = chosen?.url;
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);

  function choose(file: File | undefined): void {
    if (!file || isBusy) return;
    setError(undefined);
    try {
      requireImage(file);
      setChosen({ file, url: URL.createObjectURL(file) });
    } catch (reason) {
      setError(reason);
    }
  }

  async function run(act: () => Promise<{ image: string | null }>, said: string): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      const { image } = await act();
      keepAccount({ image });
      setChosen(undefined);
      toast.show(said, { kind: 'good' });
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  function over(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }

  return (
    <fieldset
      className={isOver ? 'my-picture my-picture-over' : 'my-picture'}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        choose(event.dataTransfer.files[0]);
      }}
    >
      <legend className="only-read">{t.profile.picture}</legend>
      <Avatar id={me.id} name={me.name} src={chosen?.url ?? me.image} size={88} />
      <div className="my-picture-words">
        <p className="my-picture-title">{chosen ? t.profile.preview : t.profile.picture}</p>
        <p className="setting-hint">{chosen ? t.profile.previewMore : t.profile.pictureHint}</p>
        <div className="setting-actions">
          <input
            ref={input}
            type="file"
            hidden
            aria-label={t.profile.choose}
            accept={imageTypes}
            onChange={(event) => {
              choose(event.currentTarget.files?.[0]);
              event.currentTarget.value = '';
            }}
          />
          {chosen ? (
            <>
              <Button
                size="small"
                kind="main"
                isPending={isBusy}
                onClick={() => run(() => uploadOwnPicture(chosen.file), t.profile.pictureSaved)}
              >
                {t.profile.use}
              </Button>
              <Button size="small" disabled={isBusy} onClick={() => setChosen(undefined)}>
                {t.profile.notThis}
              </Button>
            </>
          ) : (
            <Button size="small" icon="upload" onClick={() => input.current?.click()}>
              {me.image ? t.profile.change : t.profile.choose}
            </Button>
          )}
          {me.image && !chosen && (
            <Button
              size="small"
              kind="quiet"
              isPending={isBusy}
              onClick={() => run(() => api('none').userImageDelete(), t.profile.pictureGone)}
            >
              {t.profile.take}
            </Button>
          )}
        </div>
        <ErrorText error={error} />
      </div>
    </fieldset>
  );
}
