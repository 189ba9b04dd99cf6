import { useState } from 'react';
import type { Records } from '../../api/records.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { IconButton } from '../../ui/index.ts';
import { endWelcome } from './lastPlace.ts';
import './FirstSteps.css';

/** The server's welcome text. Shown to a member until they dismiss it. */
export default function Welcome({ server }: { server: Records['Server'] }) {
  const [isGone, setGone] = useState(false);
  if (isGone || !server.welcome) return null;
  return (
    <section className="first-steps" aria-label={t.welcomeHere}>
      <header>
        <h2>{t.welcomeHere}</h2>
        <IconButton
          icon="x"
          size="small"
          label={t.hideWelcome}
          onClick={() => {
            endWelcome(server.id);
            setGone(true);
          }}
        />
      </header>
      <p className="small muted first-steps-words" dir="auto">
        {server.welcome}
      </p>
    </section>
  );
}
