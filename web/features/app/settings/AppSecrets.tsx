import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { useRow, useRows } from '../../../replica/hooks.ts';
import { common } from '../../../strings/en/common.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { ago } from '../../../strings/format.ts';
import { Icon, IconButton, WithName } from '../../../ui/index.ts';
import { useSecrets } from '../../key/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import { Ask, Who } from '../../settings/server/index.ts';

type Secret = Records['Secret'];

/** The secrets of apps, such as another service's API key. Their values are never shown again. */
export function AppSecrets({ serverId }: { serverId: string }) {
  const may = useMay(serverId, 'secret delete');
  const { pages, rows } = useSecrets(serverId, true);
  const secrets = rows.filter(({ kind }) => kind === 'appSecret');
  const [removing, setRemoving] = useState<Secret>();
  return (
    <>
      <Rows
        label={t.secrets}
        pages={pages}
        count={secrets.length}
        empty={{ icon: 'lock', title: t.noSecrets, text: t.noSecretsMore }}
      >
        {secrets.map((secret) => (
          <SecretRow key={secret.id} secret={secret} onRemove={() => setRemoving(secret)} />
        ))}
      </Rows>
      {removing && (
        <Ask
          permission={may}
          title={<WithName words={t.askSecret} values={{ name: removing.name }} />}
          text={t.askSecretMore}
          action={common.delete}
          isDanger
          onConfirm={() => api(serverId).secretDelete({ id: removing.id })}
          done={t.secretGone({ name: removing.name })}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function SecretRow({ secret, onRemove }: { secret: Secret; onRemove: () => void }) {
  const own = useRow('app', secret.appId);
  // Apps that belong to other servers are only known from their installs.
  const installs = useRows('appInstall', 'serverId', secret.serverId);
  const app = own ?? installs.find((install) => install.app.id === secret.appId)?.app;
  return (
    <Row
      mark={<Icon name="lock" />}
      title={secret.name}
      badges={secret.preview !== '…' && <code className="muted">{secret.preview}</code>}
      note={
        <Facts
          of={[
            app?.name && t.ofApp({ name: app.name }),
            <span key="by">
              {t.madeAt({ when: ago(secret.createdAt) })}{' '}
              <Who serverId={secret.serverId} userId={secret.creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <IconButton icon="trash" label={common.deleteNamed({ name: secret.name })} onClick={onRemove} />
      }
    />
  );
}
