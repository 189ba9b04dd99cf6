import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
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

/** Nothing is drawn so long while what is to be drawn is on its way, in ms: an empty page would be no more. */
const LONGEST_MS = 250;

type SignedInPage = ComponentType<{ me: Myself; route: Route }>;
let arrived: SignedInPage | undefined;
const loadSignedIn = async () => {
  const part = await import('./features/frame/SignedIn.tsx');
  arrived = part.default;
  return part;
};
let chosen: SignedInPage | undefined;
/** The part of a signed-in person: always the same. `lazy` alone would draw something in its place first, though it is there. */
const signedInPage = (): SignedInPage => (chosen ??= arrived ?? lazy(loadSignedIn));
const SignedOut = lazy(() => import('./features/session/pages/index.tsx'));

/** Pages that stand by themselves, with and without a session. */
const open = ['signIn', 'signUp', 'welcome', 'reset', 'invite', 'device', 'authorize', 'missing'];
const isOpen = ({ page }: Route): boolean => open.includes(page);

/**
 * Finds out who is signed in, before anything is drawn. Whoever was so last time gets their part of the client meanwhile. Resolves when there is
 * something to draw, or after a while.
 */
export async function beginAsking(): Promise<void> {
  const known = beginAccount();
  if (!wasSignedIn()) return;
  // If it fails, the page fails by it where it is needed.
  const there = loadSignedIn().catch(() => undefined);
  await Promise.race([Promise.all([known, there]), new Promise((end) => setTimeout(end, LONGEST_MS))]);
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
    case 'in': {
      const SignedIn = signedInPage();
      // Keyed by the person: nothing of one shows to another who signs in in the same tab.
      return <Loaded page={<SignedIn key={account.me.id} me={account.me} route={route} />} />;
    }
  }
}

/** A part of the client, once it is loaded. If it does not arrive, nothing else is on the page. */
const Loaded = ({ page }: { page: ReactNode }) => (
  <ErrorBoundary onError={reloadOnce}>
    <Suspense fallback={<Splash />}>{page}</Suspense>
  </ErrorBoundary>
);
