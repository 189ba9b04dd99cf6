import type { ReactNode } from 'react';
import type { Route } from '../../../routes.ts';
import { Layers } from '../../../ui/index.ts';
import { Authorize } from './Authorize.tsx';
import { Callback } from './Callback.tsx';
import { Device } from './Device.tsx';
import { Invite } from './Invite.tsx';
import { Missing } from './Missing.tsx';
import { Reset } from './Reset.tsx';
import { SignIn } from './SignIn.tsx';
import { SignUp } from './SignUp.tsx';
import { Start } from './Start.tsx';
import { Welcome } from './Welcome.tsx';
import '../session.css';

/** The pages available without a session. */
export default function SignedOut({ route }: { route: Route }) {
  return (
    <>
      {pageOf(route)}
      <Layers />
    </>
  );
}

function pageOf(route: Route): ReactNode {
  switch (route.page) {
    case 'home':
      return <Start />;
    case 'signIn':
      return route.provider === undefined ? <SignIn /> : <Callback provider={route.provider} />;
    case 'signUp':
      return <SignUp />;
    case 'invite':
      return <Invite key={route.inviteId} inviteId={route.inviteId} />;
    case 'welcome':
      return <Welcome />;
    case 'reset':
      return <Reset />;
    case 'device':
      return <Device />;
    case 'missing':
      return <Missing />;
    case 'authorize':
      return <Authorize />;
    default:
      // A page that requires a session. It appears at the same URL after signing in.
      return <SignIn isAsked />;
  }
}
