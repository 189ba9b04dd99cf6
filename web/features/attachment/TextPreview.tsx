import { useEffect, useMemo, useState } from 'react';
import { attachment as t } from '../../strings/en/conversation.ts';
import { Spinner } from '../../ui/index.ts';
import { Code } from '../code/index.ts';
import { contentOf, type File } from './address.ts';
import { formOf, rowsOf } from './textual.ts';

/** The number of bytes shown, from the start of the file. */
const MOST_BYTES = 32 * 1024;

interface TextPreviewProps {
  file: File;
  /** Called by `late` if this component cannot be loaded. */
  onClose: () => void;
}

/** The beginning of a text, code or CSV file. */
export default function TextPreview({ file }: TextPreviewProps) {
  const [text, setText] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    beginningOf(file, control.signal).then(setText, () => control.signal.aborted || setFailed(true));
    return () => control.abort();
  }, [file]);
  if (hasFailed) return <p className="text-preview-note">{t.previewFailed}</p>;
  if (text === undefined) return <Spinner />;
  const { language, separator } = formOf(file.name) ?? {};
  return (
    <div className="markdown text-preview">
      {separator === undefined ? (
        <Code text={text} language={language ?? ''} />
      ) : (
        <Rows text={text} separator={separator} />
      )}
      {file.bytes > MOST_BYTES && <p className="text-preview-note">{t.firstPart}</p>}
    </div>
  );
}

function Rows({ text, separator }: { text: string; separator: string }) {
  const [head, ...rows] = useMemo(() => rowsOf(text, separator), [text, separator]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it
    <div className="markdown-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head?.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
              <th key={index}>{cell}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
            <tr key={line}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows never change
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The first bytes of a file as text, without a trailing partial character. Rejects if it is not UTF-8. */
async function beginningOf(file: File, signal: AbortSignal): Promise<string> {
  const response = await fetch(contentOf(file), {
    headers: { range: `bytes=0-${MOST_BYTES - 1}` },
    signal,
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const bytes = (await response.arrayBuffer()).slice(0, MOST_BYTES);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
}
