import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { api, type Records } from '../../api/index.ts';
import { useSession } from '../../replica/hooks.ts';
import { common } from '../../strings/en/common.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { Button, ErrorText } from '../../ui/index.ts';
import {
  CompletionList,
  continuedFence,
  FormatBar,
  FormatButton,
  fitHeight,
  formatted,
  lengthOf,
  MOST,
  optionId,
  tidied,
  useCompletion,
} from '../composer/index.ts';
import { editedText, keepEdited, stopEditing } from '../editing/index.ts';
import { askToDelete } from './deleting.ts';
import './EditMessage.css';

/**
 * Edits a message in place. Enter saves and Escape cancels; saving empty text asks whether to delete the
 * message, unless it has files.
 */
export function EditMessage({ message }: { message: Records['ShownMessage'] }) {
  const [text, setText] = useState(() => editedText(message.id) ?? message.content);
  const field = useRef<HTMLTextAreaElement>(null);
  const { save, isBusy, error } = useSave(message, field);
  const over = lengthOf(text) - MOST;
  const { serverId, channelId, threadId } = message;
  const completion = useCompletion(field, { serverId, placeId: threadId ?? channelId });
  const listId = useId();
  const isOpen = completion.candidates.length > 0;

  useFieldOf(field, text);

  function keyed(event: KeyboardEvent<HTMLTextAreaElement>): void {
    const hasControl = event.ctrlKey || event.metaKey;
    // Letters and arrow keys must not reach the surrounding list. Shortcuts such as Ctrl K work here, too.
    if (!hasControl && !event.altKey) event.stopPropagation();
    if (completion.keyed(event) || formatted(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      stopEditing(message.id);
    } else if (event.key === 'Enter' && !event.shiftKey && (hasControl || !continuedFence(event))) {
      event.preventDefault();
      save(text);
    }
  }

  return (
    <div className="message-edit">
      <CompletionList completion={completion} id={listId} />
      <FormatBar {...{ field, serverId, channelId }} />
      <textarea
        ref={field}
        className="message-edit-field"
        aria-label={t.editLabel}
        aria-invalid={over > 0}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? optionId(listId, completion.at) : undefined}
        value={text}
        rows={1}
        onInput={(event) => {
          setText(event.currentTarget.value);
          keepEdited(message.id, event.currentTarget.value);
          completion.look();
        }}
        onSelect={completion.look}
        onBlur={completion.close}
        onKeyDown={keyed}
      />
      {error !== undefined && <ErrorText error={error} />}
      <div className="message-edit-foot">
        <Button size="small" kind="main" isPending={isBusy} disabled={over > 0} onClick={() => save(text)}>
          {common.save}
        </Button>
        <Button size="small" kind="quiet" onClick={() => stopEditing(message.id)}>
          {common.cancel}
        </Button>
        <FormatButton size="small" />
        <span className="message-edit-keys">{over > 0 ? t.tooLong({ over }) : t.editKeys}</span>
      </div>
    </div>
  );
}

/** Focuses the text field, restores the focus afterwards, and fits the height to the text. */
function useFieldOf(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const area = field.current;
    const before = document.activeElement;
    area?.focus({ preventScroll: true });
    area?.setSelectionRange(area.value.length, area.value.length);
    // Scrolls the buttons into view, too, because most edits are to the last message.
    area?.parentElement?.scrollIntoView({ block: 'nearest' });
    return () => {
      if (document.activeElement !== area && document.activeElement !== document.body) return;
      const back = before instanceof HTMLElement && before.isConnected ? before : undefined;
      (back?.closest('[data-message], textarea') as HTMLElement | null)?.focus({ preventScroll: true });
    };
  }, [field]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the text changes
  useEffect(() => {
    if (field.current) fitHeight(field.current, 2);
  }, [text]);
}

function useSave(message: Records['ShownMessage'], field: RefObject<HTMLTextAreaElement | null>) {
  const session = useSession();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  async function save(text: string): Promise<void> {
    const content = tidied(text);
    if (isBusy || lengthOf(text) > MOST) return;
    if (content === '' && !message.attachments?.length) return askToDelete(message);
    if (content === message.content) return stopEditing(message.id);
    setBusy(true);
    setError(undefined);
    try {
      await session.actions.load(
        () => api(message.serverId).messageSave({ messageId: message.id, content }),
        (saved) => {
          const now = session.replica.row('message', message.id);
          const { updatedAt } = saved;
          return now ? { message: [{ ...now, content: saved.content, editedAt: updatedAt, updatedAt }] } : {};
        },
      );
      stopEditing(message.id);
    } catch (refusal) {
      setError(refusal);
      setBusy(false);
      field.current?.focus();
    }
  }
  return { save, isBusy, error };
}
