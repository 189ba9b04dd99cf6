import { useRef } from 'react';
import type { Permission } from '../../may/index.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { IconButton, refusalOf } from '../../ui/index.ts';

/** Opens the file picker. */
export function ClipButton({
  permission,
  onFiles,
}: {
  permission: Permission;
  onFiles: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The value is reset so that choosing the same file again fires a change event.
          event.currentTarget.value = '';
        }}
      />
      <IconButton
        icon="paperclip"
        label={permission.allowed ? t.attach : refusalOf(permission)}
        aria-disabled={!permission.allowed}
        onClick={() => permission.allowed && input.current?.click()}
      />
    </>
  );
}
