import { useState } from 'react';
import type { Records } from '../../../api/records.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { Button } from '../../../ui/index.ts';
import { Closed, Group, Page } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { useSeesPrograms } from '../../settings/server/index.ts';
import { AppDialog } from './AppDialog.tsx';
import { AppSecrets } from './AppSecrets.tsx';
import { InstallDialog } from './InstallDialog.tsx';
import { Installs } from './Installs.tsx';
import { NewSecret } from './NewSecret.tsx';
import { OwnApps } from './OwnApps.tsx';
import { Registry } from './Registry.tsx';

/** The open dialog. */
type Asking =
  | { act: 'new' | 'install' | 'registry' }
  | { act: 'edit' | 'installOwn' | 'secret'; app: Records['App'] };

/** The apps of a server: installed apps, its own apps, and their secrets. */
export default function Apps({ serverId }: SectionProps) {
  const sees = useSeesPrograms(serverId);
  const mayInstall = useMay(serverId, 'appInstall insert');
  const mayWrite = useMay(serverId, 'app insert');
  const maySecrets = useMay(serverId, 'secret insert');
  const installs = useRows('appInstall', 'serverId', serverId);
  const installed = new Set(installs.map(({ app: { id } }) => id));
  const [asking, setAsking] = useState<Asking>();
  return (
    <Page title={t.title} lead={t.lead}>
      <Group
        title={t.installed}
        lead={t.installedLead}
        action={
          mayInstall.allowed && (
            <Button icon="plus" onClick={() => setAsking({ act: 'registry' })}>
              {t.install}
            </Button>
          )
        }
      >
        <Closed
          permission={sees.allowed ? mayInstall : sees}
          what={sees.allowed ? common.viewOnly : t.unseen}
        />
        {sees.allowed && (
          <Installs
            serverId={serverId}
            maySecrets={maySecrets.allowed}
            onSecret={(app) => setAsking({ act: 'secret', app })}
          />
        )}
      </Group>
      <OwnApps
        serverId={serverId}
        installed={installed}
        may={{ write: mayWrite, install: mayInstall.allowed, secrets: maySecrets.allowed }}
        onAsk={setAsking}
      />
      <Group title={t.secrets} lead={t.secretsLead}>
        <Closed permission={maySecrets} what={t.secretsClosed} />
        {maySecrets.allowed && <AppSecrets serverId={serverId} />}
      </Group>
      {asking && <AskedDialog {...{ serverId, asking, installed }} onAsk={setAsking} />}
    </Page>
  );
}

interface AskedDialogProps {
  serverId: string;
  asking: Asking;
  installed: ReadonlySet<string>;
  onAsk: (next: Asking | undefined) => void;
}

function AskedDialog({ serverId, asking, installed, onAsk }: AskedDialogProps) {
  const onClose = () => onAsk(undefined);
  /** The dialog closes first, so the focus is restored before the next dialog takes it. */
  const next = (asked: Asking) => {
    onClose();
    setTimeout(onAsk, 0, asked);
  };
  switch (asking.act) {
    case 'new':
      return <AppDialog serverId={serverId} app={undefined} onClose={onClose} />;
    case 'edit':
      return <AppDialog serverId={serverId} app={asking.app} onClose={onClose} />;
    case 'install':
      return <InstallDialog serverId={serverId} app={undefined} onClose={onClose} />;
    case 'installOwn':
      return <InstallDialog serverId={serverId} app={asking.app} onClose={onClose} />;
    case 'secret':
      return <NewSecret serverId={serverId} app={asking.app} onClose={onClose} />;
    case 'registry':
      return (
        <Registry
          installed={installed}
          onInstall={(app) => next({ act: 'installOwn', app })}
          onId={() => next({ act: 'install' })}
          onClose={onClose}
        />
      );
  }
}
