import { useSession } from '../../replica/hooks.ts';
import { composer as t } from '../../strings/en/conversation.ts';
import { hasMouse, IconButton, useMenu } from '../../ui/index.ts';
import { late } from '../../ui/late.tsx';
import { tidied } from './format.ts';
import { replyAt, stopReply } from './replying/index.ts';
import type { WritingField } from './useField.ts';

const ScheduleMenu = late(() => import('../later/schedule/index.tsx'));

interface ScheduleButtonProps {
  channelId: string;
  placeId: string;
  writing: WritingField;
  hasFiles: boolean;
}

/** Opens the menu for scheduling the message. */
export function ScheduleButton({ channelId, placeId, writing, hasFiles }: ScheduleButtonProps) {
  const { anchor, close, trigger } = useMenu();
  const { actions, drafts } = useSession();
  const content = () => tidied(writing.field.current?.value ?? '');
  return (
    <>
      <IconButton {...trigger} icon="clock" label={t.schedule} />
      {anchor && (
        <ScheduleMenu
          {...{ anchor, hasFiles }}
          make={() => {
            const replyToId = replyAt(placeId);
            return {
              ...{ channelId, content: content() },
              ...(placeId !== channelId && { threadId: placeId }),
              ...(replyToId !== undefined && { replyToId }),
            };
          }}
          onDone={(message) => {
            // The user may have continued to write, or opened another channel, which removes the field but
            // not the draft.
            if (tidied(drafts.get(placeId).content) === message.content) {
              writing.clear();
              writing.settle();
              actions.saveDraft(placeId === channelId ? channelId : { threadId: placeId }, '');
            }
            if (hasMouse() && !document.activeElement?.matches('input, textarea'))
              writing.field.current?.focus();
            if (replyAt(placeId) === message.replyToId) stopReply(placeId);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
