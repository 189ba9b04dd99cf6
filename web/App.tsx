import { type ComponentType, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { factorIsMissing, onFactorMissing } from './api/index.ts';
import { FrameToCome } from './features/frame/ServerToCome.tsx';
import { Splash, Unreachable } from './features/frame/states.tsx';
import {
  askAccount,
  beginAccount,
  type Myself,
  Proof,
  useAccount,
  wasSignedIn,
} from './features/session/index.ts';
import { type Route, useRoute } from './routes.ts';
import { ErrorBoundary, reloadOnce } from './ui/index.ts';

/** Maximum time in ms that the first render waits for its content. */
const LONGEST_MS = 250;

type SignedInPage = ComponentType<{ me: Myself; route: Route }>;
let arrived: SignedInPage | undefined;
const loadSignedIn = async () => {
  const part = await import('./features/frame/SignedIn.tsx');
  arrived = part.default;
  return part;
};
let chosen: SignedInPage | undefined;
/**
 * The component for signed-in users, always the same object. `lazy` alone would render a fallback first,
 * even if the chunk is already loaded.
 */
const signedInPage = (): SignedInPage => (chosen ??= arrived ?? lazy(loadSignedIn));
const MissingFactor = lazy(() => import('./features/me/pages/MissingFactor.tsx'));
const SignedOut = lazy(() => import('./features/session/pages/index.tsx'));

/** Pages that work with and without a session. */
const open = ['signIn', 'signUp', 'welcome', 'reset', 'invite', 'device', 'authorize', 'missing'];
const isOpen = ({ page }: Route): boolean => open.includes(page);

/**
 * Finds out who is signed in before the first render. If the last visitor was signed in, loads the client for
 * signed-in users in parallel. Resolves when there is something to render, or after a timeout.
 */
export async function beginAsking(): Promise<void> {
  const known = beginAccount();
  if (!wasSignedIn()) return;
  // Errors are ignored here: the page that needs the chunk reports them.
  const there = loadSignedIn().catch(() => undefined);
  await Promise.race([Promise.all([known, there]), new Promise((end) => setTimeout(end, LONGEST_MS))]);
}

export const App = () => (
  <>
    <Page />
    <Proof />
  </>
);

function Page() {
  const account = useAccount();
  const route = useRoute();
  const isFactorMissing = useSyncExternalStore(onFactorMissing, factorIsMissing);
  if (isOpen(route) && account.state !== 'asking') return <Loaded page={<SignedOut route={route} />} />;
  switch (account.state) {
    case 'asking':
      return <Starting route={route} />;
    case 'unreachable':
      return <Unreachable retry={askAccount} />;
    case 'out':
      return <Loaded page={<SignedOut route={route} />} />;
    case 'in': {
      if (isFactorMissing) return <Loaded page={<MissingFactor me={account.me} />} />;
      const SignedIn = signedInPage();
      // Keyed by user, so no state carries over to another user who signs in in the same tab.
      const page = <SignedIn key={account.me.id} me={account.me} route={route} />;
      return <Loaded page={page} meanwhile={<Starting route={route} />} />;
    }
  }
}

/** The loading screen while the client starts: the outline of a server, if one will open. */
const Starting = ({ route }: { route: Route }) =>
  wasSignedIn() && (route.page === 'server' || route.page === 'home') ? (
    <FrameToCome route={route} />
  ) : (
    <Splash />
  );

interface LoadedProps {
  page: ReactNode;
  meanwhile?: ReactNode;
}

/** Renders a lazily loaded component. If it fails to load, the page is reloaded once. */
const Loaded = ({ page, meanwhile = <Splash /> }: LoadedProps) => (
  <ErrorBoundary onError={reloadOnce}>
    <Suspense fallback={meanwhile}>{page}</Suspense>
  </ErrorBoundary>
);
