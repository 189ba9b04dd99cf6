import { useEffect, useState } from 'react';
import { useEpoch, useRow, useRows, useSession } from '../../../replica/hooks.ts';
import type { Session } from '../../../replica/index.ts';
import type { Rows } from '../../../replica/types.ts';
import { blocks, commands as t } from '../../../strings/en/writing.ts';
import { IconButton } from '../../../ui/index.ts';
import { useBeside } from '../../member/index.ts';
import { commandsOf } from '../commandList.ts';
import { dismiss, useDismissed } from '../dismissed.ts';
import { Outcome } from '../Outcome.tsx';
import { load } from '../own.ts';
import { hasUsed, keepUsed } from '../used.ts';
import './Notes.css';

type Interaction = Rows['interaction'];

interface CommandNotesProps {
  serverId: string;
  channelId: string;
  /** The channel, or the thread in it. */
  placeId: string;
}

/** Maximum age, in ms, of an outcome that is shown. */
const OLD_MS = 24 * 60 * 60_000;
const MOST = 3;

/** A command that the agent answered with a message needs no note, because the message is in the channel. */
const isNews = ({ state, ephemeral, updatedAt }: Interaction): boolean =>
  (state !== 'done' || ephemeral !== null) && updatedAt > Date.now() - OLD_MS;

/** The outcomes of the commands that the user used in a channel or thread, above its composer. */
export default function CommandNotes({ serverId, channelId, placeId }: CommandNotesProps) {
  const session = useSession();
  const epoch = useEpoch(serverId);
  const [isLoaded, setLoaded] = useState(false);
  const dismissed = useDismissed();
  const all = useRows('interaction', 'command', placeId);
  const shown = all.filter((row) => isNews(row) && !dismissed.includes(row.id)).slice(-MOST);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again when events were missed
  useEffect(() => {
    if (!hasUsed(placeId)) return;
    commandsOf(session, serverId).catch(() => undefined);
    load(session, serverId, { channelId }).then(
      () => setLoaded(true),
      () => undefined,
    );
  }, [session, serverId, channelId, placeId, epoch]);
  const isOver = isLoaded && shown.length === 0;
  useEffect(() => {
    if (isOver) keepUsed(placeId, false);
  }, [isOver, placeId]);
  return (
    <div className="command-notes">
      {shown.map((row) => (
        <Note key={row.id} interaction={row} />
      ))}
    </div>
  );
}

/** A command as the user would type it. */
function textOf({ replica }: Session, { name, options }: Rows['command'], values: unknown): string {
  const given = Object.entries((values ?? {}) as Record<string, unknown>).map(([key, value]) => {
    const type = options.find((option) => option.name === key)?.type;
    const id = String(value);
    if (type === 'user') return `${key}:@${replica.row('user', id)?.username ?? '…'}`;
    if (type === 'channel') return `${key}:#${replica.row('channel', id)?.name ?? '…'}`;
    return `${key}:${id}`;
  });
  return [`/${name}`, ...given].join(' ');
}

function Note({ interaction }: { interaction: Interaction }) {
  const { id, serverId, agentId, commandId, options, state } = interaction;
  const session = useSession();
  const command = useRow('command', commandId);
  const { name } = useBeside(serverId, agentId, blocks.somebody);
  const what = command ? textOf(session, command, options) : t.unknown;
  return (
    <div className="command-note">
      <Outcome
        interaction={interaction}
        agent={name}
        what={
          <code className="ellipsis command-note-text" dir="auto">
            {what}
          </code>
        }
      />
      {(state === 'failed' || state === 'expired') && (
        <IconButton size="small" icon="x" label={blocks.dismiss} onClick={() => dismiss(id)} />
      )}
    </div>
  );
}
