import { type DragEvent, type ReactNode, useState } from 'react';
import { settings as t } from '../../strings/en/common.ts';
import { ErrorText, names } from '../../ui/index.ts';
import { Refusal } from '../session/index.ts';
import { ChooseFile } from './ChooseFile.tsx';
import './pictureField.css';

/** Maximum size of an image in bytes. */
const MOST = 5_000_000;
const types = 'image/png,image/jpeg,image/gif,image/webp';

/** Throws a Refusal for a file that the server would reject, before it is uploaded. */
function requirePicture({ type, size }: File): void {
  if (!types.split(',').includes(type)) throw new Refusal(t.noPicture);
  if (size > MOST) throw new Refusal(t.tooLarge);
}

/** Passed to the extra buttons. */
interface Doing {
  isBusy: boolean;
  /** Awaits an action and shows its error. */
  run: (act: () => unknown) => Promise<void>;
}

interface PictureFieldProps {
  /** The accessible name. */
  label: string;
  title: string;
  hint: string;
  /** The current image. */
  face: ReactNode;
  /** The label of the button that chooses a file. Undefined if no file can be chosen at the moment. */
  choose: string | undefined;
  onFile: (file: File) => unknown;
  /** Extra buttons. */
  children?: (doing: Doing) => ReactNode;
}

/** An image that the user can replace with a file picker or by drag and drop, and its buttons. */
export function PictureField({ label, title, hint, face, choose, onFile, children }: PictureFieldProps) {
  const [isBusy, setBusy] = useState(false);
  const [isOver, setOver] = useState(false);
  const [error, setError] = useState<unknown>();

  async function run(act: () => unknown): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await act();
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  function take(file: File | undefined): void {
    if (!file || isBusy || choose === undefined) return;
    void run(() => {
      requirePicture(file);
      return onFile(file);
    });
  }

  function over(event: DragEvent): void {
    if (choose === undefined || !event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  }

  return (
    <fieldset
      className={names('picture-field', isOver && 'picture-field-over')}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <legend className="only-read">{label}</legend>
      <div className="picture-field-face">{face}</div>
      <div className="picture-field-words">
        <p className="picture-field-title">{title}</p>
        <p className="setting-hint">{hint}</p>
        <div className="setting-actions">
          {choose !== undefined && (
            <ChooseFile label={choose} accept={types} isPending={isBusy} onFile={take} />
          )}
          {children?.({ isBusy, run })}
        </div>
        <ErrorText error={error} />
      </div>
    </fieldset>
  );
}
