import { platform as t } from '../../strings/en/platform.ts';
import { Empty, type IconName } from '../../ui/index.ts';
import { useAccount } from '../session/index.ts';
import { Sections } from '../settings/index.ts';
import { Apps } from './Apps.tsx';
import { Audit } from './Audit.tsx';
import { Health } from './health/Health.tsx';
import { Servers } from './Servers.tsx';
import { Settings } from './Settings.tsx';
import { Users } from './users/Users.tsx';
import './platform.css';

const pages = {
  health: { icon: 'activity', Page: Health },
  users: { icon: 'users', Page: Users },
  servers: { icon: 'server', Page: Servers },
  apps: { icon: 'plug', Page: Apps },
  settings: { icon: 'settings', Page: Settings },
  audit: { icon: 'list', Page: Audit },
} as const satisfies Record<string, { icon: IconName; Page: () => unknown }>;

type Id = keyof typeof pages;
const ids = Object.keys(pages) as Id[];
const groups = [{ sections: ids.map((id) => ({ id, label: t.sections[id], icon: pages[id].icon })) }];

/** The pages of those who administer the platform. */
export default function PlatformPages({ section }: { section: string | undefined }) {
  const account = useAccount();
  if (account.state !== 'in') return null;
  if (!account.me.platformAdmin)
    return (
      <main id="main" className="platform-closed">
        <Empty icon="lock" title={t.closed} text={t.closedMore} />
      </main>
    );
  const id = ids.find((one) => one === section) ?? 'health';
  const { Page } = pages[id];
  return (
    <Sections
      title={t.title}
      groups={groups}
      open={section === undefined ? undefined : id}
      routeOf={(next) => ({ page: 'platform', section: next })}
      head={
        <div className="sections-who platform-who">
          <p className="sections-name">{t.title}</p>
          <p className="sections-username">{location.host}</p>
        </div>
      }
    >
      <Page key={id} />
    </Sections>
  );
}
