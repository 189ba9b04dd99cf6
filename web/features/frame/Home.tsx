import { lazy, useEffect } from 'react';
import { useConnection, useServers } from '../../replica/hooks.ts';
import { navigate } from '../../routes.ts';
import { isNarrow } from '../../ui/index.ts';
import type { Myself } from '../session/index.ts';
import { lastChannel, lastServer } from './lastPlace.ts';
import { ServerToCome } from './ServerToCome.tsx';

const FirstServer = lazy(() => import('./FirstServer.tsx'));

/** The home page. Redirects to the last open server, or helps the user to create or join their first one. */
export function Home({ me }: { me: Myself }) {
  const servers = useServers();
  const { isListed } = useConnection();
  const last = lastServer();
  const next = servers.find(({ id }) => id === last) ?? servers[0];
  useEffect(() => {
    if (!next) return;
    const channelId = isNarrow() ? undefined : lastChannel(next.id);
    navigate({ page: 'server', serverId: next.id, channelId }, { replace: true });
  }, [next]);
  if (next || !isListed) return <ServerToCome name={next?.name} isInChannel={false} />;
  return <FirstServer name={me.name} />;
}
