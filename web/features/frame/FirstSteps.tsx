import { useState } from 'react';
import { base } from '../../api/base.ts';
import { useMay } from '../../may/index.ts';
import { useChannels, useConnection, useRow, useServer } from '../../replica/hooks.ts';
import { navigate, type Route } from '../../routes.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Icon, IconButton, type IconName } from '../../ui/index.ts';
import { createChannel } from '../channel/index.ts';
import { createInvite } from '../invite/index.tsx';
import { endFirstSteps, keepStep, stepsTaken } from './lastPlace.ts';
import './FirstSteps.css';

/** The default name of the account that is created on the first start. */
const FIRST_NAME = 'Admin';

const icons = {
  profile: 'user',
  invite: 'user-plus',
  channel: 'hash',
  key: 'key-round',
  webhook: 'webhook',
  bot: 'bot',
} as const satisfies Record<string, IconName>;
type Id = keyof typeof icons;
const all = Object.keys(icons) as Id[];

/** The onboarding checklist of a new server, for users who may create API keys. It can be dismissed. */
export default function FirstSteps({ serverId }: { serverId: string }) {
  const { server } = useServer(serverId);
  const channels = useChannels(serverId);
  const me = useRow('user', useConnection().userId);
  const mayInvite = useMay(serverId, 'invite insert').allowed;
  const [isGone, setGone] = useState(false);
  const [taken, setTaken] = useState(() => stepsTaken(serverId));
  if (isGone || !server) return null;
  const isDone: Record<Id, boolean> = {
    profile: me !== undefined && (me.name !== FIRST_NAME || me.image !== null),
    invite: server.memberCount > 1 || taken.includes('invite'),
    channel: channels.length > 1,
    key: taken.includes('key'),
    webhook: taken.includes('webhook'),
    bot: taken.includes('bot'),
  };
  const go = (route: Route) => () => navigate(route);
  const acts: Record<Id, () => void> = {
    profile: go({ page: 'me', section: 'profile' }),
    invite: () => createInvite(serverId),
    channel: () => createChannel(serverId),
    key: go({ page: 'serverSettings', serverId, section: 'keys' }),
    webhook: go({ page: 'serverSettings', serverId, section: 'webhooks' }),
    bot: () => window.open(`${base}/docs/guides/bot`, '_blank', 'noopener'),
  };
  const steps = all.filter((id) => id !== 'invite' || mayInvite);
  const take = (id: Id) => {
    keepStep(serverId, id);
    setTaken(stepsTaken(serverId));
    acts[id]();
  };
  return (
    <section className="first-steps" aria-label={t.firstSteps}>
      <header>
        <h2>{t.firstSteps}</h2>
        <span className="first-steps-count">
          {t.stepsDone({ done: steps.filter((id) => isDone[id]).length, all: steps.length })}
        </span>
        <IconButton
          icon="x"
          size="small"
          label={t.hideSteps}
          onClick={() => {
            endFirstSteps(serverId);
            setGone(true);
          }}
        />
      </header>
      <ul>
        {steps.map((id) => (
          <li key={id}>
            <button
              type="button"
              className={isDone[id] ? 'first-step first-step-done' : 'first-step'}
              onClick={() => take(id)}
            >
              <Icon name={isDone[id] ? 'circle-check' : icons[id]} size={16} />
              {t.steps[id]}
              {isDone[id] && <span className="only-read">{t.stepDone}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
