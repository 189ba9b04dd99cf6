import { useEffect, useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { Spinner } from '../../ui/index.ts';
import { contentOf, type File } from './address.ts';
import './PdfPreview.css';

interface PdfPreviewProps {
  file: File;
  /** Called by `late` if this component cannot be loaded. */
  onClose: () => void;
}

/**
 * A PDF in the browser's own viewer, which runs in a separate process. The blob's type is always that of a
 * PDF, so the bytes are never rendered as a web page.
 */
export default function PdfPreview({ file }: PdfPreviewProps) {
  const [address, setAddress] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    let made: string | undefined;
    bytesOf(file, control.signal).then(
      (bytes) => {
        if (control.signal.aborted) return;
        made = URL.createObjectURL(new Blob([bytes], { type: 'application/pdf' }));
        setAddress(made);
      },
      () => control.signal.aborted || setFailed(true),
    );
    return () => {
      control.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [file]);
  if (hasFailed) return <p className="text-preview-note">{t.previewFailed}</p>;
  if (address === undefined) return <Spinner />;
  return (
    <iframe className="pdf-preview" src={`${address}#toolbar=0`} title={t.previewOf({ name: file.name })} />
  );
}

async function bytesOf(file: File, signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch(contentOf(file), { signal });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.arrayBuffer();
}
