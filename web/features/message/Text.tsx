import { useEffect, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { useRows } from '../../replica/hooks.ts';
import { message as t } from '../../strings/en/conversation.ts';
import { dateTime } from '../../strings/format.ts';
import { Icon } from '../../ui/index.ts';
import { Markdown } from '../markdown/index.ts';
import { useNamed } from '../mention/index.ts';

let loaded: typeof import('./streamed/index.ts') | undefined;

/** Loads the code that is only needed for streamed messages. */
function useStreamed(isOpen: boolean): typeof loaded {
  const [, setLoaded] = useState(false);
  useEffect(() => {
    if (isOpen && !loaded)
      import('./streamed/index.ts').then(
        (module) => {
          loaded = module;
          setLoaded(true);
        },
        () => {},
      );
  }, [isOpen]);
  return isOpen ? loaded : undefined;
}

/** The text of a message, and the content after its last line. */
export function Text({ message }: { message: Records['ShownMessage'] }) {
  const { id, content, editedAt, stream } = message;
  const named = useNamed(message.serverId, message);
  const isSaved = useRows('saved', 'messageId', id).length > 0;
  const isOpen = stream === 'open';
  // Text that the user read while it was streaming is not folded at the end.
  const [wasOpen] = useState(isOpen);
  const streamed = useStreamed(isOpen);
  return (
    <>
      <div id={`${id}-text`} className="message-text" aria-busy={isOpen || undefined}>
        <Markdown
          content={streamed ? streamed.completed(content) : content}
          named={named}
          stage={isOpen ? 'growing' : wasOpen ? 'grown' : undefined}
          after={
            (editedAt !== null || isSaved || stream === 'stopped' || isOpen) && (
              <>
                {isOpen && <span className="message-cursor" aria-hidden="true" />}
                {stream === 'stopped' && <span className="message-edited-note"> ({t.stopped})</span>}
                {editedAt !== null && (
                  <span className="message-edited-note" title={t.editedAt({ when: dateTime(editedAt) })}>
                    {' '}
                    ({t.edited})
                  </span>
                )}
                {isSaved && (
                  <span className="message-edited-note" title={t.saved}>
                    {' '}
                    <Icon name="bookmark" size={14} />
                    <span className="only-read">{t.saved}</span>
                  </span>
                )}
              </>
            )
          }
        />
      </div>
      {streamed && <streamed.Stop message={message} />}
    </>
  );
}
