import type { ReactNode } from 'react';
import { siteName } from '../../api/base.ts';
import { platform as t } from '../../strings/en/platform.ts';
import { Empty } from '../../ui/index.ts';
import { useAccount } from '../session/index.ts';
import { pagesOf, Sections } from '../settings/index.ts';
import { Apps } from './Apps.tsx';
import { Audit } from './Audit.tsx';
import { Health } from './health/Health.tsx';
import { Holds } from './holds/Holds.tsx';
import { Imports } from './imports/Imports.tsx';
import { Servers } from './Servers.tsx';
import { Settings } from './Settings.tsx';
import { Users } from './users/Users.tsx';
import './platform.css';

const pages = pagesOf<keyof typeof t.sections, () => ReactNode>(
  {
    health: { icon: 'activity', Page: Health },
    users: { icon: 'users', Page: Users },
    servers: { icon: 'server', Page: Servers },
    apps: { icon: 'plug', Page: Apps },
    imports: { icon: 'upload', Page: Imports },
    holds: { icon: 'lock', Page: Holds },
    settings: { icon: 'settings', Page: Settings },
    audit: { icon: 'list', Page: Audit },
  },
  t.sections,
);

export default function PlatformPages({ section }: { section: string | undefined }) {
  const account = useAccount();
  if (account.state !== 'in') return null;
  if (!account.me.platformAdmin)
    return (
      <main id="main" className="platform-closed">
        <Empty icon="lock" title={t.closed} text={t.closedMore} />
      </main>
    );
  const { id, Page, groups, open } = pages(section);
  return (
    <Sections
      title={t.title}
      groups={groups}
      open={open}
      routeOf={(next) => ({ page: 'platform', section: next })}
      head={
        <div className="sections-who platform-who">
          <p className="sections-name">{t.title}</p>
          <p className="small muted">{siteName()}</p>
        </div>
      }
    >
      <Page key={id} />
    </Sections>
  );
}
