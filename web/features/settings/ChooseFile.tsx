import { useRef } from 'react';
import { Button } from '../../ui/index.ts';

interface ChooseFileProps {
  label: string;
  /** The accepted types, as for `<input>`; any by default. */
  accept?: string;
  isPending?: boolean;
  onFile: (file: File) => void;
}

/** A button that opens a file picker. */
export function ChooseFile({ label, accept, isPending, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          // The value is reset so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <Button size="small" icon="upload" isPending={isPending} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
