import { Suspense, useEffect, useState } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useMay } from '../../may/index.ts';
import { useActions, useConnection, useRow, useServer } from '../../replica/hooks.ts';
import { navigate, type Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Button, Empty, isNarrow, useNarrow } from '../../ui/index.ts';
import { optional } from '../../ui/missingPart.ts';
import { ChannelHeader, ChannelList, createChannel, useChannelsInOrder } from '../channel/index.ts';
import { Composer } from '../composer/index.ts';
import { Conversation } from '../conversation/index.ts';
import { ProfileLayer } from '../member/index.ts';
import { SidePanel } from '../panel/index.ts';
import { areFirstStepsDone, isWelcomed, keepPlace, lastChannel } from './lastPlace.ts';
import { asMain } from './main.ts';
import { ServerToCome } from './ServerToCome.tsx';
import { Missing } from './states.tsx';

/** A server with this many members or channels needs no onboarding. */
const GROWN = 5;

const FirstSteps = optional(() => import('./FirstSteps.tsx'));
const Welcome = optional(() => import('./Welcome.tsx'));

type ServerRoute = Omit<Extract<Route, { page: 'server' }>, 'page'>;

/** A server: its channel list, the open channel, and the panel or thread next to it. */
export function ServerPage({ serverId, channelId, messageId, threadId, replyId, panel, words }: ServerRoute) {
  const { server, state } = useServer(serverId);
  const channels = useChannelsInOrder(serverId);
  const { isListed } = useConnection();
  const isPhone = useNarrow();
  const { channel, isMissing } = useChannel(serverId, channelId, state !== undefined);
  useOpened({ serverId, channelId, messageId, openId: channel?.id, channels, isWaiting: !state });

  if (!server || !state)
    return isListed && !server ? (
      <Missing />
    ) : (
      <ServerToCome name={server?.name} isInChannel={channelId !== undefined} />
    );
  const hasPanel = channel !== undefined && (threadId !== undefined || panel !== undefined);
  // A phone shows only the main pane: the conversation, the panel, or the channel list.
  const isPanelMain = isPhone && hasPanel;
  const isListMain = isPhone && channelId === undefined;
  const names = ['server-page', hasPanel && 'server-page-with-panel'];
  names.push(channelId === undefined ? 'server-page-in-list' : 'server-page-in-channel');
  return (
    <div className={names.filter(Boolean).join(' ')} {...(isListMain && asMain)}>
      <ChannelList
        serverId={serverId}
        channelId={channelId}
        foot={
          <Foot server={server} isCreator={state.standing.isServerCreator} hasFew={channels.length < GROWN} />
        }
      />
      <main className="server-page-main" id={isPanelMain || isListMain ? undefined : 'main'} tabIndex={-1}>
        {channel ? (
          <>
            <ChannelHeader channel={channel} panel={panel} />
            <Conversation key={channel.id} channel={channel} messageId={messageId} />
            <Composer key={channel.id} channel={channel} place={channel.id} />
          </>
        ) : (
          <NoChannel
            serverId={serverId}
            isWrong={isMissing}
            isLoading={channelId !== undefined && !isMissing}
            hasChannels={channels.length > 0}
          />
        )}
      </main>
      {hasPanel && channel && (
        <aside className="server-page-panel" aria-label={t.panel} {...(isPanelMain && asMain)}>
          <SidePanel {...{ channel, threadId, replyId, panel, words }} />
        </aside>
      )}
      <ProfileLayer serverId={serverId} />
    </div>
  );
}

/** The channel in the URL. A direct message may have to be loaded first, because snapshots contain only the most recent. */
function useChannel(serverId: string, channelId: string | undefined, isReady: boolean) {
  const row = useRow('channel', channelId);
  const { meet } = useActions();
  const [missing, setMissing] = useState<string>();
  const unknown = row ? undefined : channelId;
  useEffect(() => {
    if (isReady && unknown !== undefined) meet(serverId, unknown).catch(() => setMissing(unknown));
  }, [isReady, unknown, meet, serverId]);
  const channel = row?.serverId === serverId ? row : undefined;
  const isElsewhere = row !== undefined && channel === undefined;
  return { channel, isMissing: isElsewhere || (unknown !== undefined && missing === unknown) };
}

interface OpenedProps extends Pick<ServerRoute, 'serverId' | 'channelId' | 'messageId'> {
  /** The channel in the URL, once it is loaded. */
  openId: string | undefined;
  channels: readonly { id: string }[];
  /** True while the server's snapshot is loading. */
  isWaiting: boolean;
}

/**
 * Opens the channel in the URL, and saves it as the last one. If the URL names none, redirects to the last
 * open channel, or else to the first one.
 */
function useOpened({ serverId, channelId, messageId, openId, channels, isWaiting }: OpenedProps): void {
  const { openChannel } = useActions();
  const last = useRow('channel', channelId === undefined ? lastChannel(serverId) : undefined);
  useEffect(() => {
    if (!isWaiting || channelId === undefined) return;
    // Loads the messages in parallel with the snapshot. The conversation reports any failure.
    const around = messageId === undefined ? {} : { around: messageId };
    openChannel(channelId, { serverId, ...around }).catch(() => undefined);
  }, [isWaiting, serverId, channelId, messageId, openChannel]);
  useEffect(() => keepPlace(serverId, openId), [serverId, openId]);
  useEffect(() => {
    // A phone shows the channel list first.
    if (channelId !== undefined || isNarrow()) return;
    const next = last?.serverId === serverId ? last : channels[0];
    if (next) navigate({ page: 'server', serverId, channelId: next.id }, { replace: true });
  }, [serverId, channelId, channels, last]);
}

interface FootProps {
  server: Records['Server'];
  isCreator: boolean;
  hasFew: boolean;
}

/** Onboarding below the channel list. */
function Foot({ server, isCreator, hasFew }: FootProps) {
  const mayRun = useMay(server.id, 'secret insert').allowed;
  const isNew = mayRun && hasFew && server.memberCount < GROWN && !areFirstStepsDone(server.id);
  return (
    <Suspense fallback={null}>
      {isNew && <FirstSteps serverId={server.id} />}
      {/* Not shown to the owner, who usually wrote it. */}
      {server.welcome && !isCreator && !isWelcomed(server.id) && <Welcome server={server} />}
    </Suspense>
  );
}

interface NoChannelProps {
  serverId: string;
  /** True if the channel in the URL cannot be loaded, for example because it was deleted or is private. */
  isWrong: boolean;
  /** True while that channel is loading. */
  isLoading: boolean;
  hasChannels: boolean;
}

function NoChannel({ serverId, isWrong, isLoading, hasChannels }: NoChannelProps) {
  const mayCreate = useMay(serverId, 'channel insert').allowed;
  if (isWrong)
    return (
      <Empty icon="hash" title={t.noSuchChannel} text={t.noSuchChannelMore}>
        {/* A phone shows no other link that leads away from here. */}
        <Link to={{ page: 'server', serverId }}>{t.toChannels}</Link>
      </Empty>
    );
  if (isLoading) return null;
  if (hasChannels) return <Empty icon="hash" title={t.noChannel} text={t.noChannelMore} />;
  return (
    <Empty icon="hash" title={t.noChannels} text={mayCreate ? t.noChannelsMore : t.noChannelsSeen}>
      {mayCreate && (
        <Button kind="main" icon="plus" onClick={() => createChannel(serverId)}>
          {common.createChannel}
        </Button>
      )}
    </Empty>
  );
}
