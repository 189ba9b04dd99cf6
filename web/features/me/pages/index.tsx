import type { ReactNode } from 'react';
import { base } from '../../../api/base.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { Avatar } from '../../../ui/index.ts';
import { type Myself, useAccount } from '../../session/index.ts';
import { pagesOf, Sections } from '../../settings/index.ts';
import { Appearance } from './Appearance.tsx';
import { History } from './History.tsx';
import { Language } from './Language.tsx';
import { MyData } from './MyData.tsx';
import { Notifications } from './Notifications.tsx';
import { Privacy } from './Privacy.tsx';
import { Profile } from './Profile.tsx';
import { Security } from './Security.tsx';
import { Sessions } from './Sessions.tsx';
import { Shortcuts } from './Shortcuts.tsx';

const pages = pagesOf<keyof typeof t.sections, (props: { me: Myself }) => ReactNode>(
  {
    profile: { icon: 'user', Page: Profile },
    privacy: { icon: 'eye-off', Page: Privacy },
    security: { icon: 'shield-check', Page: Security },
    sessions: { icon: 'laptop', Page: Sessions },
    history: { icon: 'clock', Page: History },
    notifications: { icon: 'bell', Page: Notifications },
    appearance: { icon: 'palette', Page: Appearance },
    shortcuts: { icon: 'keyboard', Page: Shortcuts },
    language: { icon: 'globe', Page: Language },
    data: { icon: 'database', Page: MyData },
  },
  t.sections,
);

/** The user's own settings. */
export default function MePages({ section }: { section: string | undefined }) {
  const account = useAccount();
  if (account.state !== 'in') return null;
  const { me } = account;
  const { id, Page, groups, open } = pages(section);
  return (
    <Sections
      title={common.yourSettings}
      groups={groups}
      open={open}
      routeOf={(next) => ({ page: 'me', section: next })}
      head={
        <div className="sections-who">
          <Avatar id={me.id} name={me.name} src={me.image} size={40} />
          <div>
            <p className="sections-name">
              <bdi>{me.name}</bdi>
            </p>
            <p className="small muted">
              <bdi>@{me.username}</bdi>
            </p>
          </div>
        </div>
      }
      foot={
        <p className="sections-foot">
          <a href={`${base}/licences.txt`} target="_blank" rel="noreferrer">
            {t.licences}
          </a>
        </p>
      }
    >
      <Page key={id} me={me} />
    </Sections>
  );
}
