import { useLayoutEffect, useRef, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { message as t } from '../../../strings/en/conversation.ts';
import { Button, toast } from '../../../ui/index.ts';
import './Stop.css';

/** Stops a streaming message. Everyone who may send messages in the channel can do this. */
export function Stop({ message }: { message: Records['ShownMessage'] }) {
  const { id, serverId, channelId } = message;
  const channel = useRow('channel', channelId);
  const mayStop = useMay(serverId, 'message insert', channel ? { channel } : {}).allowed;
  const [isStopping, setStopping] = useState(false);
  const place = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    const { current } = place;
    return () => {
      // The message may end while the button has the focus.
      if (current?.contains(document.activeElement)) current.closest('article')?.focus();
    };
  }, []);
  const stop = () => {
    setStopping(true);
    api(serverId)
      .messageStop({ id })
      .catch(toast.error)
      .finally(() => setStopping(false));
  };
  return (
    <p className="message-stop" ref={place}>
      {mayStop && (
        <Button size="small" icon="x" isPending={isStopping} onClick={stop}>
          {t.stop}
        </Button>
      )}
    </p>
  );
}
