import { lazy, type ReactNode, Suspense } from 'react';
import type { Route } from '../../routes.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { ErrorBoundary, Layers } from '../../ui/index.ts';
import { EditedGone } from '../message/gone/index.ts';
import { Background } from '../notification/index.ts';
import { Palette } from '../palette/index.ts';
import type { Myself } from '../session/index.ts';
import { ConnectionBar } from './ConnectionBar.tsx';
import { useFocus } from './focus.ts';
import { Home } from './Home.tsx';
import { Rail } from './Rail.tsx';
import { ServerPage } from './ServerPage.tsx';
import { useShortcuts } from './shortcuts.ts';
import { Missing, Splash } from './states.tsx';
import './Frame.css';

const ServerSettings = lazy(() => import('../serverSettings/index.tsx'));
const DirectPage = lazy(() => import('./DirectPage.tsx'));
const LaterPages = lazy(() => import('../later/pages/index.tsx'));
const MePages = lazy(() => import('../me/pages/index.tsx'));
const PlatformPages = lazy(() => import('../platform/index.tsx'));

/** The layout around a page: the server rail next to it, and the connection bar above it. */
export function Frame({ me, route }: { me: Myself; route: Route }) {
  const serverId = 'serverId' in route ? route.serverId : undefined;
  useShortcuts();
  useFocus(route);
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        {t.skip}
      </a>
      <ConnectionBar />
      <Rail me={me} serverId={serverId} isDirect={route.page === 'direct'} />
      <ErrorBoundary resetOn={route.page}>
        <Suspense fallback={<Splash />}>{pageOf(route, me)}</Suspense>
      </ErrorBoundary>
      <Palette route={route} isAdmin={me.platformAdmin} />
      <Background route={route} />
      <EditedGone />
      <Layers />
    </div>
  );
}

function pageOf(route: Route, me: Myself): ReactNode {
  switch (route.page) {
    case 'home':
      return <Home me={me} />;
    case 'server':
      return <ServerPage key={route.serverId} {...route} />;
    case 'serverSettings':
      return <ServerSettings key={route.serverId} serverId={route.serverId} section={route.section} />;
    case 'direct':
      return <DirectPage />;
    case 'later':
      return <LaterPages section={route.section} />;
    case 'me':
      return <MePages section={route.section} />;
    case 'platform':
      return <PlatformPages section={route.section} />;
    default:
      return <Missing />;
  }
}
