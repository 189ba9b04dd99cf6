import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRows } from '../../../replica/hooks.ts';
import { appSettings as t } from '../../../strings/en/appSettings.ts';
import { ago } from '../../../strings/format.ts';
import { Badge, Icon, IconButton, toast, WithName } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import { Ask, byNewest, Json, usePages, Who } from '../../settings/server/index.ts';
import './apps.css';

interface InstallsProps {
  serverId: string;
  maySecrets: boolean;
  onSecret: (app: Records['App']) => void;
}

/** The installed apps, with their configuration. */
export function Installs({ serverId, maySecrets, onSecret }: InstallsProps) {
  const may = useMay(serverId, 'appInstall delete');
  const pages = usePages(
    serverId,
    (cursor) => api(serverId).appInstallsByServer({ serverId, cursor, expand: 'creator' }),
    (page) => ({ appInstall: page, user: Object.values(page.expanded?.users ?? {}) }),
  );
  const installs = useRows('appInstall', 'serverId', serverId).toSorted(byNewest);
  const [removing, setRemoving] = useState<Records['ShownAppInstall']>();
  return (
    <>
      <Rows
        label={t.installed}
        pages={pages}
        count={installs.length}
        empty={{ icon: 'plug', title: t.noInstalls, text: t.noInstallsMore }}
      >
        {installs.map((install) => {
          const { app, id, config } = install;
          const name = app.name ?? t.nameless;
          return (
            <Row
              key={id}
              mark={<Icon name="plug" />}
              title={name}
              badges={app.verified && <Badge kind="good">{t.verified}</Badge>}
              note={
                <Facts
                  of={[
                    app.version && t.version(app.version),
                    app.publisherName,
                    <span key="by">
                      {t.installedAt(ago(install.createdAt))}{' '}
                      <Who serverId={serverId} userId={install.creatorId} />
                    </span>,
                  ]}
                />
              }
              actions={
                <>
                  {maySecrets && (
                    <IconButton icon="lock" label={t.newSecretOf(name)} onClick={() => onSecret(app)} />
                  )}
                  {may.allowed && (
                    <IconButton
                      icon="trash"
                      label={t.removeNamed(name)}
                      onClick={() => setRemoving(install)}
                    />
                  )}
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
        })}
      </Rows>
      {removing && (
        <Ask
          permission={may}
          title={<WithName words={t.askRemove} name={removing.app.name ?? t.nameless} />}
          text={t.removeMore}
          action={t.remove}
          isDanger
          onConfirm={async () => {
            await api(serverId).appInstallDelete({ appInstallId: removing.id });
            toast.show(t.removed);
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}
