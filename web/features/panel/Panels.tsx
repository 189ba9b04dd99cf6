import { type ReactNode, useCallback, useRef } from 'react';
import { useKeptScroll } from '../../keptScroll.ts';
import { navigate, type Panel, panels, type Route, useRoute } from '../../routes.ts';
import { panel as t } from '../../strings/en/panels.ts';
import { ErrorBoundary } from '../../ui/index.ts';
import { DirectMembers } from '../direct/panel/index.tsx';
import { Members } from '../member/panel/index.tsx';
import { Inbox, InboxTools } from '../notification/panel/index.tsx';
import { Pins } from '../pin/index.ts';
import { Search } from '../search/index.ts';
import { ThreadHead, ThreadList, ThreadTools, ThreadView } from '../thread/index.ts';
import { PanelFrame } from './PanelFrame.tsx';
import type { SidePanelProps } from './props.ts';

/** All panels, in one chunk that is loaded with the first panel. */
export default function Panels({ channel, threadId, replyId, panel, words }: SidePanelProps) {
  const { id: channelId, serverId } = channel;
  const route = useRoute();
  const messageId = route.page === 'server' ? route.messageId : undefined;
  const known = panels.find((name) => name === panel);
  const close = useCallback(() => {
    const place: Route = { page: 'server', serverId, channelId, messageId };
    navigate(threadId === undefined ? place : { ...place, panel: known, words });
  }, [serverId, channelId, messageId, threadId, known, words]);
  if (threadId !== undefined)
    return (
      <PanelFrame
        key="frame"
        shows={threadId}
        title={<ThreadHead threadId={threadId} channel={channel} />}
        tools={<ThreadTools threadId={threadId} channel={channel} />}
        isAbove={known !== undefined}
        onClose={close}
      >
        <ErrorBoundary resetOn={threadId}>
          <ThreadView key={threadId} threadId={threadId} replyId={replyId} channel={channel} />
        </ErrorBoundary>
      </PanelFrame>
    );
  if (!known) return null;
  const contents: Record<Panel, ReactNode> = {
    threads: <ThreadList channel={channel} />,
    pins: <Pins channel={channel} />,
    members: channel.kind === 'dm' ? <DirectMembers channel={channel} /> : <Members serverId={serverId} />,
    search: <Search channel={channel} words={words} />,
    inbox: <Inbox />,
  };
  return (
    <PanelFrame
      key="frame"
      shows={known}
      title={t.titles[known]}
      tools={known === 'inbox' && <InboxTools />}
      onClose={close}
    >
      <ErrorBoundary resetOn={known}>
        <Content key={`${known} ${channelId}`} name={`${known} ${words ?? ''}`}>
          {contents[known]}
        </Content>
      </ErrorBoundary>
    </PanelFrame>
  );
}

/** The content of a panel. Restores the scroll position after a reload and on back navigation. */
function Content({ name, children }: { name: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useKeptScroll(box, name);
  return (
    <div className="side-panel-content" ref={box}>
      {children}
    </div>
  );
}
