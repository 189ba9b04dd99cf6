import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { ago } from '../../../strings/format.ts';
import { Badge, Icon, IconButton, WithName } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import { Ask, Json, useServerList, Who } from '../../settings/server/index.ts';
import './apps.css';

type Install = Records['ShownAppInstall'];

interface InstallsProps {
  serverId: string;
  maySecrets: boolean;
  onSecret: (app: Records['App']) => void;
}

const nameOf = ({ app }: Install): string => app.name ?? t.nameless;

/** The installed apps with their configuration. */
export function Installs({ serverId, maySecrets, onSecret }: InstallsProps) {
  const may = useMay(serverId, 'appInstall delete');
  const { pages, rows } = useServerList('appInstall', serverId, (cursor) =>
    api(serverId).appInstallsByServer({ serverId, cursor, expand: 'creator' }),
  );
  const [removing, setRemoving] = useState<Install>();
  return (
    <>
      <Rows
        label={t.installed}
        pages={pages}
        count={rows.length}
        empty={{ icon: 'plug', title: t.noInstalls, text: t.noInstallsMore }}
      >
        {rows.map((install) => (
          <InstallRow
            key={install.id}
            install={install}
            onSecret={maySecrets && (() => onSecret(install.app))}
            onRemove={may.allowed && (() => setRemoving(install))}
          />
        ))}
      </Rows>
      {removing && (
        <Ask
          permission={may}
          title={<WithName words={t.askRemove} values={{ name: nameOf(removing) }} />}
          text={t.removeMore}
          action={common.remove}
          isDanger
          onConfirm={() => api(serverId).appInstallDelete({ appInstallId: removing.id })}
          done={t.removed}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

interface InstallRowProps {
  install: Install;
  onSecret: (() => void) | false;
  onRemove: (() => void) | false;
}

function InstallRow({ install, onSecret, onRemove }: InstallRowProps) {
  const { app, config, serverId, creatorId, createdAt } = install;
  const name = nameOf(install);
  return (
    <Row
      mark={<Icon name="plug" />}
      title={name}
      badges={app.verified && <Badge kind="good">{t.verified}</Badge>}
      note={
        <Facts
          of={[
            app.version && t.version({ version: app.version }),
            app.publisherName,
            <span key="by">
              {t.installedAt({ when: ago(createdAt) })} <Who serverId={serverId} userId={creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <>
          {onSecret && <IconButton icon="lock" label={t.newSecretOf({ name })} onClick={onSecret} />}
          {onRemove && <IconButton icon="trash" label={common.removeNamed({ name })} onClick={onRemove} />}
        </>
      }
    >
      {config != null && (
        <details className="setting-app-config">
          <summary>{t.config}</summary>
          <Json value={config} label={t.config} />
        </details>
      )}
    </Row>
  );
}
