import { type ClipboardEvent, type RefObject, useCallback, useId, useLayoutEffect, useRef } from 'react';
import type { Records } from '../../api/records.ts';
import { useMay } from '../../may/index.ts';
import { useSession } from '../../replica/hooks.ts';
import type { TimelineRef } from '../../replica/types.ts';
import { common } from '../../strings/en/common.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { Button, IconButton, names, refusalOf, toast } from '../../ui/index.ts';
import { placeName, useChannelName } from '../direct/index.ts';
import { askAll } from '../member/index.ts';
import { addFiles, DropZone, filesOf, MOST_FILES, UploadList, useUploads } from '../upload/index.ts';
import { useKeysFromAnywhere } from './anywhere.ts';
import { ClipButton } from './ClipButton.tsx';
import { CompletionList, optionId } from './CompletionList.tsx';
import { EmojiButton } from './EmojiButton.tsx';
import { FormatBar, FormatButton, useFormatBar } from './FormatButton.tsx';
import { lengthOf, tidied } from './format.ts';
import { keyed, sendsByEnter } from './keys.ts';
import { useWait } from './limited.ts';
import { usePut } from './putting.ts';
import { ReplyLine } from './ReplyLine.tsx';
import { insertIn } from './replaceIn.ts';
import { useReplyStarts } from './replying/index.ts';
import { ScheduleButton } from './ScheduleButton.tsx';
import { sendFrom, stopHold, useIsHeld } from './sending.ts';
import { type Completion, useCompletion } from './useCompletion.ts';
import { MOST, NEAR, useField, type WritingField } from './useField.ts';

type Field = RefObject<HTMLTextAreaElement | null>;

interface WritingProps {
  channel: Records['Channel'];
  place: TimelineRef;
  placeId: string;
  root: RefObject<HTMLDivElement | null>;
}

/** The text field with its toolbar and status. */
export function Writing({ channel, place, placeId, root }: WritingProps) {
  const { serverId, id: channelId } = channel;
  const name = placeName(channel, useChannelName(channel));
  const threadId = placeId === channelId ? undefined : placeId;
  const session = useSession();
  const writing = useField(place);
  const { field, first, left } = writing;
  const completion = useCompletion(field, { serverId, placeId });
  const uploads = useUploads(placeId);
  const isHeld = useIsHeld(placeId);
  const { attach, mayAttach } = useAttach(field, channel, placeId);
  const isInUse = useFormatBar().isShown || !writing.isBlank;
  const listId = useId();
  usePut(field, placeId);
  useKeysFromAnywhere(field, threadId === undefined);
  useFocusForReply(field, placeId);

  const isEmpty = writing.isBlank && uploads.length === 0;

  const send = useSend({ channel, placeId, writing, completion });

  const label = threadId === undefined ? t.message({ channel: name }) : t.reply;
  const isOpen = completion.candidates.length > 0;
  return (
    <div className="composer-writing">
      <DropZone inside={root} name={name} onFiles={attach} onFolder={refuseFolder} />
      <CompletionList completion={completion} id={listId} />
      <div className="composer-box">
        <ReplyLine serverId={serverId} placeId={placeId} />
        <UploadList place={placeId} />
        <FormatBar {...{ field, serverId, channelId }} />
        <div className={names('composer-line', isInUse && 'composer-in-use')}>
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
            onKeyDown={(event) => keyed(event, { completion, session, placeId, send })}
            onPaste={(event) => attachPasted(event, attach)}
          />
          <EmojiButton
            field={field}
            serverId={serverId}
            onPick={(emoji) => field.current && insertIn(field.current, emoji)}
          />
          <FormatButton />
          <ScheduleButton {...{ channelId, placeId, writing }} hasFiles={uploads.length > 0} />
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
      <Status placeId={placeId} left={left} />
    </div>
  );
}

interface SendProps extends Pick<WritingProps, 'channel' | 'placeId'> {
  writing: WritingField;
  completion: Completion;
}

/** Returns a function that sends the content of the field. */
function useSend({ channel, placeId, writing, completion }: SendProps): () => Promise<void> {
  const session = useSession();
  const { actions } = session;
  const uploads = useUploads(placeId);
  const isHeld = useIsHeld(placeId);
  const { serverId, id: channelId } = channel;
  const { field } = writing;
  const isUsing = useRef(false);
  return async () => {
    const area = field.current;
    if (!area || isHeld || lengthOf(area.value) > MOST) return;
    const isWaiting = uploads.some(({ state }) => state !== 'done');
    // Captures the channel or thread now, because the user may navigate while files upload.
    const message = {
      serverId,
      channelId,
      ...(placeId !== channelId && { threadId: placeId }),
      content: tidied(area.value),
    };
    if (message.content === '' && uploads.length === 0) return;
    completion.close();
    if (uploads.length === 0 && message.content.startsWith('/')) {
      if (isUsing.current) return;
      isUsing.current = true;
      const { use } = await import('./commands/index.ts');
      const outcome = await use(session, channel, placeId, message.content);
      isUsing.current = false;
      if (outcome === 'used') {
        writing.clear();
        writing.settle();
      }
      if (outcome !== 'message') return;
    }
    await askAll(session, channel, message.content, async () => {
      if (await sendFrom(actions, message, writing.clear)) writing.settle();
      else if (isWaiting && uploads.length > 0) field.current?.focus();
    });
  };
}

/** Attaches files to the message. */
function useAttach(field: Field, { serverId, kind }: Records['Channel'], placeId: string) {
  const mayAttach = useMay(serverId, 'attachment insert', { isInConversation: kind === 'dm' });
  const attach = useCallback(
    (files: readonly File[]) => {
      if (!mayAttach.allowed) return void toast.show(refusalOf(mayAttach), { kind: 'bad' });
      const over = addFiles({ id: placeId, serverId }, files);
      if (over.length > 0) toast.show(t.tooMany({ count: MOST_FILES }), { kind: 'bad' });
      field.current?.focus();
    },
    [mayAttach, placeId, serverId, field],
  );
  return { attach, mayAttach };
}

const refuseFolder = () => void toast.show(t.noFolders, { kind: 'bad' });

function attachPasted(event: ClipboardEvent, attach: (files: readonly File[]) => void): void {
  const { files } = filesOf(event.clipboardData);
  // Spreadsheets also put an image of copied cells on the clipboard, but their text is more useful.
  if (files.length === 0 || event.clipboardData?.getData('text/plain')) return;
  event.preventDefault();
  attach(files);
}

function useFocusForReply(field: Field, placeId: string): void {
  const starts = useReplyStarts(placeId);
  // This is a layout effect, so the next key already goes to the reply and does not act as a shortcut on the
  // message.
  useLayoutEffect(() => {
    if (starts > 0) field.current?.focus();
  }, [starts, field]);
}

/** Shows what delays or prevents sending the message: uploads, the rate limit, or its length. */
function Status({ placeId, left }: { placeId: string; left: number }) {
  const isHeld = useIsHeld(placeId);
  const wait = useWait();
  if (!isHeld && wait <= 0 && left >= NEAR) return null;
  return (
    <div className="tiny muted composer-news" role="status">
      {isHeld && (
        <>
          {t.held}{' '}
          <Button size="small" kind="quiet" onClick={() => stopHold(placeId)}>
            {common.cancel}
          </Button>
        </>
      )}
      {wait > 0 && <span>{t.slow({ seconds: wait })}</span>}
      {left < NEAR && (
        <span className={left < 0 ? 'composer-over' : undefined}>
          {left < 0 ? `${t.over({ count: -left })} ${t.onlyHere}` : t.left({ count: left })}
        </span>
      )}
    </div>
  );
}
