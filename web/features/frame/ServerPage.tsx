import { lazy, Suspense, useEffect } from 'react';
import type { Records } from '../../api/records.ts';
import { Link } from '../../Link.tsx';
import { useMay } from '../../may/index.ts';
import { useActions, useChannels, useConnection, useServer } from '../../replica/hooks.ts';
import { navigate, type Route } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Button, Empty, isNarrow, useNarrow } from '../../ui/index.ts';
import { ChannelHeader, ChannelList, createChannel } from '../channel/index.ts';
import { Composer } from '../composer/index.ts';
import { Conversation } from '../conversation/index.ts';
import { ProfileLayer } from '../member/index.ts';
import { SidePanel } from '../panel/index.ts';
import { areFirstStepsDone, isWelcomed, keepPlace, lastChannel } from './lastPlace.ts';
import { ServerToCome } from './ServerToCome.tsx';
import { Missing } from './states.tsx';

/** A server with this many members or channels needs no onboarding. */
const GROWN = 5;

const FirstSteps = lazy(() => import('./FirstSteps.tsx'));
const Welcome = lazy(() => import('./Welcome.tsx'));

/** Props of the main pane, which is the landmark and the target of the skip link. */
const asMain = { role: 'main', id: 'main', tabIndex: -1 };

type ServerRoute = Omit<Extract<Route, { page: 'server' }>, 'page'>;

/** A server: its channel list, the open channel, and the panel or thread next to it. */
export function ServerPage({ serverId, channelId, messageId, threadId, replyId, panel, words }: ServerRoute) {
  const { server, state } = useServer(serverId);
  const channels = useChannels(serverId);
  const { isListed } = useConnection();
  const isPhone = useNarrow();
  const channel = channels.find(({ id }) => id === channelId);
  useOpened({ serverId, channelId, messageId, channels, isWaiting: !state });

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
            isWrong={channelId !== undefined}
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

interface OpenedProps extends Pick<ServerRoute, 'serverId' | 'channelId' | 'messageId'> {
  channels: readonly { id: string }[];
  /** True while the server's snapshot is loading. */
  isWaiting: boolean;
}

/**
 * Opens the channel in the URL, and saves it as the last one. If the URL names none, redirects to the last
 * open channel.
 */
function useOpened({ serverId, channelId, messageId, channels, isWaiting }: OpenedProps): void {
  const { openChannel } = useActions();
  const openId = channels.find(({ id }) => id === channelId)?.id;
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
    const last = lastChannel(serverId);
    const next = channels.find(({ id }) => id === last) ?? channels[0];
    if (next) navigate({ page: 'server', serverId, channelId: next.id }, { replace: true });
  }, [serverId, channelId, channels]);
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
      {/* The server's owner wrote this text. */}
      {server.welcome && !isCreator && !isWelcomed(server.id) && <Welcome server={server} />}
    </Suspense>
  );
}

interface NoChannelProps {
  serverId: string;
  /** True if the channel in the URL does not exist. */
  isWrong: boolean;
  hasChannels: boolean;
}

function NoChannel({ serverId, isWrong, hasChannels }: NoChannelProps) {
  const mayCreate = useMay(serverId, 'channel insert').allowed;
  if (isWrong)
    return (
      <Empty icon="hash" title={t.noSuchChannel} text={t.noSuchChannelMore}>
        {/* A phone shows no other link that leads away from here. */}
        <Link to={{ page: 'server', serverId }}>{t.toChannels}</Link>
      </Empty>
    );
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
