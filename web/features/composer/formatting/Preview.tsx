import { type RefObject, useEffect, useState } from 'react';
import { common } from '../../../strings/en/common.ts';
import { formatting as t } from '../../../strings/en/writing.ts';
import { useRested } from '../../../ui/index.ts';
import { Markdown } from '../../markdown/index.ts';
import { useNamed } from '../../mention/index.ts';
import { useUserId } from '../../session/index.ts';
import { tidied } from '../format.ts';

interface PreviewProps {
  field: RefObject<HTMLTextAreaElement | null>;
  serverId: string;
  channelId: string;
}

/** The text of a field as readers will see it. */
export function Preview({ field, serverId, channelId }: PreviewProps) {
  const [text, setText] = useState(() => field.current?.value ?? '');
  useEffect(() => {
    const area = field.current;
    const read = () => setText(area?.value ?? '');
    read();
    area?.addEventListener('input', read);
    area?.addEventListener('change', read);
    return () => {
      area?.removeEventListener('input', read);
      area?.removeEventListener('change', read);
    };
  }, [field]);
  const named = useNamed(serverId, { channelId, creatorId: useUserId() });
  // Debounced, because unknown names are requested from the server.
  const content = tidied(useRested(text));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it
    <section className="format-preview" aria-label={common.preview} tabIndex={0}>
      {content === '' ? <p className="muted">{t.nothing}</p> : <Markdown content={content} named={named} />}
    </section>
  );
}
