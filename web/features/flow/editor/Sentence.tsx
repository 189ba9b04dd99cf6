import { useChannels, useRows } from '../../../replica/hooks.ts';
import { flowEditor as t } from '../../../strings/en/flowEditor.ts';
import type { Draft } from './draft.ts';
import { sentenceOf } from './sentence.ts';

/** Describes the flow in a sentence. */
export function Sentence({ serverId, draft }: { serverId: string; draft: Draft }) {
  const channels = useChannels(serverId);
  const roles = useRows('role', 'serverId', serverId);
  const flows = useRows('flow', 'serverId', serverId);
  const nameOf = (id: string) => {
    const channel = channels.find((one) => one.id === id);
    return channel ? `#${channel.name}` : [...roles, ...flows].find((one) => one.id === id)?.name;
  };
  return (
    <section className="stack flow-sentence" aria-label={t.inWords}>
      <p dir="auto">{sentenceOf(draft, nameOf)}</p>
    </section>
  );
}
