import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
} from 'react';
import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useActions, useSession } from '../../replica/hooks.ts';
import type { Place } from '../../replica/types.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { Button, hasMouse, IconButton, refusalOf, toast } from '../../ui/index.ts';
import { startEditing } from '../editing/index.ts';
import { addFiles, DropZone, filesOf, MOST_FILES, UploadList, useUploads } from '../upload/index.ts';
import { useKeysFromAnywhere } from './anywhere.ts';
import { ClipButton } from './ClipButton.tsx';
import { CompletionList, optionId } from './CompletionList.tsx';
import { EmojiButton } from './EmojiButton.tsx';
import { lengthOf, tidied, wrap } from './format.ts';
import { useWait } from './limited.ts';
import { usePut } from './putting.ts';
import { ReplyLine } from './ReplyLine.tsx';
import { replaceIn } from './replaceIn.ts';
import { replyAt, stopReply, useReplyStarts } from './replying/index.ts';
import { sendFrom, stopHold, useIsHeld } from './sending.ts';
import { useCompletion } from './useCompletion.ts';
import { MOST, NEAR, useField } from './useField.ts';

/** Marks of Markdown by the letter that puts them around a selection, with Ctrl or Command. */
const marks: Record<string, string> = { b: '**', i: '*', e: '`' };

/** On a phone Enter breaks the line, as its keyboard has no other key for that; the button sends. */
const sendsByEnter = hasMouse;

interface WritingProps {
  channel: Records['Channel'];
  place: Place;
  placeId: string;
  /** The composer as a whole. */
  root: RefObject<HTMLDivElement | null>;
}

/** The field with all that is around it. */
export function Writing({ channel, place, placeId, root }: WritingProps) {
  const { serverId, id: channelId, name } = channel;
  const threadId = placeId === channelId ? undefined : placeId;
  const actions = useActions();
  const session = useSession();
  const writing = useField(place);
  const { field, first, left } = writing;
  const completion = useCompletion(field, { serverId, placeId });
  const uploads = useUploads(placeId);
  const isHeld = useIsHeld(placeId);
  const wait = useWait();
  const mayAttach = useMay(serverId, 'attachment insert');
  const listId = useId();
  const starts = useReplyStarts(placeId);
  usePut(field, placeId);
  useKeysFromAnywhere(field, threadId === undefined);
  // Before the next key comes: it is a letter of the answer, and would be a command of the message.
  useLayoutEffect(() => {
    if (starts > 0) field.current?.focus();
  }, [starts, field]);

  const isEmpty = writing.isBlank && uploads.length === 0;

  const send = async () => {
    const area = field.current;
    if (!area || isHeld || lengthOf(area.value) > MOST) return;
    const isWaiting = uploads.some(({ state }) => state !== 'done');
    // The address is that of this moment, wherever the person goes meanwhile.
    const message = {
      serverId,
      channelId,
      ...(threadId !== undefined && { threadId }),
      content: tidied(area.value),
    };
    if (message.content === '' && uploads.length === 0) return;
    completion.close();
    if (await sendFrom(actions, message, writing.clear)) writing.settle();
    else if (isWaiting && uploads.length > 0) field.current?.focus();
  };

  const editLast = (): boolean => {
    const { ids = [] } = session.lines.get(placeId) ?? {};
    const { replica } = session;
    const own = ids
      .map((id) => replica.row('message', id))
      .findLast((row) => row?.creatorId === replica.userId);
    if (own === undefined) return false;
    startEditing(own);
    return true;
  };

  const keyed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const area = event.currentTarget;
    // An input method uses Enter, arrows and Escape for itself; some browsers tell it by the code alone.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || completion.keyed(event)) return;
    const mark = marks[event.key.toLowerCase()];
    const hasControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey && (sendsByEnter() || hasControl))
      void send();
    else if (
      event.key === 'ArrowUp' &&
      area.value === '' &&
      !event.shiftKey &&
      !hasControl &&
      !event.altKey
    ) {
      if (!editLast()) return;
    } else if (event.key === 'Escape' && replyAt(placeId) !== undefined) stopReply(placeId);
    else if (hasControl && mark !== undefined) {
      const { value, selectionStart, selectionEnd } = area;
      replaceIn(area, wrap({ text: value, start: selectionStart, end: selectionEnd }, mark));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const attach = useCallback(
    (files: readonly File[]) => {
      if (!mayAttach.allowed) return void toast.show(refusalOf(mayAttach), { kind: 'bad' });
      const over = addFiles({ id: placeId, serverId }, files);
      if (over.length > 0) toast.show(t.tooMany({ count: MOST_FILES }), { kind: 'bad' });
      field.current?.focus();
    },
    [mayAttach, placeId, serverId, field],
  );
  const refuseFolder = useCallback(() => void toast.show(t.noFolders, { kind: 'bad' }), []);
  const pasted = (event: ClipboardEvent) => {
    const { files } = filesOf(event.clipboardData);
    // Cells of a table come as a picture, too: the text is what is meant.
    if (files.length === 0 || event.clipboardData?.getData('text/plain')) return;
    event.preventDefault();
    attach(files);
  };
  const insert = (words: string) => {
    const area = field.current;
    if (!area) return;
    const { selectionStart: from, selectionEnd: to } = area;
    replaceIn(area, { from, to, insert: words, start: from + words.length, end: from + words.length });
  };

  const label = threadId === undefined ? t.message({ channel: `#${name}` }) : t.reply;
  const isOpen = completion.candidates.length > 0;
  return (
    <div className="composer-writing">
      <DropZone inside={root} name={`#${name}`} onFiles={attach} onFolder={refuseFolder} />
      <CompletionList completion={completion} id={listId} />
      <div className="composer-box">
        <ReplyLine serverId={serverId} placeId={placeId} />
        <UploadList place={placeId} />
        <div className="composer-line">
          <ClipButton permission={mayAttach} onFiles={attach} />
          <textarea
            ref={field}
            className="composer-field"
            rows={1}
            aria-label={label}
            placeholder={uploads.length > 0 ? t.aboutFiles : label}
            aria-autocomplete="list"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? optionId(listId, completion.at) : undefined}
            aria-invalid={left < 0}
            autoCapitalize="sentences"
            enterKeyHint={sendsByEnter() ? 'send' : 'enter'}
            defaultValue={first}
            readOnly={isHeld}
            onInput={() => {
              writing.typed();
              completion.look();
            }}
            onSelect={completion.look}
            onBlur={completion.close}
            onKeyDown={keyed}
            onPaste={pasted}
          />
          <EmojiButton field={field} onPick={insert} />
          <IconButton
            kind={isEmpty ? 'quiet' : 'main'}
            icon="send-horizontal"
            label={t.send}
            aria-disabled={isEmpty || left < 0}
            isPending={isHeld}
            className="composer-send"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void send()}
          />
        </div>
      </div>
      {(isHeld || wait > 0 || left < NEAR) && (
        <div className="composer-news" role="status">
          {isHeld && (
            <>
              {t.held}{' '}
              <Button size="small" kind="quiet" onClick={() => stopHold(placeId)}>
                {t.stopHold}
              </Button>
            </>
          )}
          {wait > 0 && <span>{t.slow({ seconds: wait })}</span>}
          {left < NEAR && (
            <span className={left < 0 ? 'composer-over' : undefined}>
              {left < 0 ? t.over({ count: -left }) : t.left({ count: left })}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
