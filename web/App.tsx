import { lazy, type ReactNode, Suspense } from 'react';
import { Splash, Unreachable } from './features/frame/states.tsx';
import { askAccount, beginAccount, Proof, useAccount, wasSignedIn } from './features/session/index.ts';
import { type Route, useRoute } from './routes.ts';
import { ErrorBoundary, reloadOnce } from './ui/index.ts';

const loadSignedIn = () => import('./features/frame/SignedIn.tsx');
const SignedIn = lazy(loadSignedIn);
const SignedOut = lazy(() => import('./features/session/pages/index.tsx'));

/** Pages that stand by themselves, with and without a session. */
const open = ['signIn', 'signUp', 'welcome', 'reset', 'invite', 'device', 'authorize', 'missing'];
const isOpen = ({ page }: Route): boolean => open.includes(page);

/** Finds out who is signed in, before anything is drawn. Whoever was so last time gets their part of the client meanwhile. */
export function beginAsking(): void {
  void beginAccount();
  // If it fails, the page fails by it where it is needed.
  if (wasSignedIn()) loadSignedIn().catch(() => undefined);
}

/** The whole client. */
export const App = () => (
  <>
    <Page />
    <Proof />
  </>
);

function Page() {
  const account = useAccount();
  const route = useRoute();
  if (isOpen(route) && account.state !== 'asking') return <Loaded page={<SignedOut route={route} />} />;
  switch (account.state) {
    case 'asking':
      return <Splash />;
    case 'unreachable':
      return <Unreachable retry={askAccount} />;
    case 'out':
      return <Loaded page={<SignedOut route={route} />} />;
    case 'in':
      // Keyed by the person: nothing of one shows to another who signs in in the same tab.
      return <Loaded page={<SignedIn key={account.me.id} me={account.me} route={route} />} />;
  }
}

/** A part of the client, once it is loaded. If it does not arrive, nothing else is on the page. */
const Loaded = ({ page }: { page: ReactNode }) => (
  <ErrorBoundary onError={reloadOnce}>
    <Suspense fallback={<Splash />}>{page}</Suspense>
  </ErrorBoundary>
);
