import { type RefObject, useEffect, useState } from 'react';
import { upload as t } from '../../strings/en/conversation.ts';
import { Icon, WithName } from '../../ui/index.ts';
import { MOST_FILES } from './uploads.ts';

interface DropZoneProps {
  /** An element inside the conversation. The whole conversation around it becomes the drop zone. */
  inside: RefObject<HTMLElement | null>;
  /** The name of the drop target. */
  name: string;
  onFiles: (files: readonly File[]) => void;
  /** Called if a folder was among the dropped items. */
  onFolder: () => void;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** A drop zone over the whole conversation. It shows where dropped files will go. */
export function DropZone({ inside, name, onFiles, onFolder }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const zone = inside.current?.parentElement;
    if (!zone) return;
    const stop = new AbortController();
    const { signal } = stop;
    // Rejects files dropped outside the zone, because the browser would open them in place of the page.
    const refuse = (event: DragEvent) => {
      if (!hasFiles(event) || event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
      setOver(false);
    };
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget instanceof Node && zone.contains(event.relatedTarget)) return;
      setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      const { files, hasFolder } = filesOf(event.dataTransfer);
      if (hasFolder) onFolder();
      if (files.length > 0) onFiles(files);
    };
    zone.addEventListener('dragover', over, { signal });
    zone.addEventListener('dragleave', leave, { signal });
    zone.addEventListener('drop', drop, { signal });
    addEventListener('dragover', refuse, { signal });
    addEventListener('drop', refuse, { signal });
    return () => stop.abort();
  }, [inside, onFiles, onFolder]);
  if (!isOver) return null;
  return (
    <div className="upload-drop">
      <Icon name="upload" size={32} />
      <p className="upload-drop-title">
        <WithName words={t.dropHere} values={{ name }} />
      </p>
      <p className="small upload-drop-about">{t.most({ count: MOST_FILES })}</p>
    </div>
  );
}

/** The dropped or pasted files. Folders, which cannot be uploaded, are left out. */
export function filesOf(data: DataTransfer | null): { files: File[]; hasFolder: boolean } {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === 'file');
  const files = items
    .filter((item) => item.webkitGetAsEntry()?.isDirectory !== true)
    .map((item) => item.getAsFile())
    .filter((file) => file !== null);
  return { files, hasFolder: files.length < items.length };
}
