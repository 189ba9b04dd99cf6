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

/** Opens the menu that sends the message later. */
export function ScheduleButton({ channelId, placeId, writing, hasFiles }: ScheduleButtonProps) {
  const { anchor, close, trigger } = useMenu();
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
            if (content() === message.content) {
              writing.clear();
              writing.settle();
            }
            if (hasMouse()) writing.field.current?.focus();
            if (replyAt(placeId) === message.replyToId) stopReply(placeId);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
