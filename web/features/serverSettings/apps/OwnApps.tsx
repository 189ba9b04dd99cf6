import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { appSettings as t } from '../../../strings/en/appSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { Badge, Confirm, Copy, Icon, IconButton, Menu, toast } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import type { OwnApps as Own } from './useOwnApps.ts';

type App = Records['App'];

interface OwnAppsProps {
  own: Own;
  may: { write: boolean; install: boolean; secrets: boolean };
  onAsk: (act: 'edit' | 'installOwn' | 'secret', app: App) => void;
}

/** The apps that a server has made. */
export function OwnApps({ own, may, onAsk }: OwnAppsProps) {
  const [asking, setAsking] = useState<{ act: 'submit' | 'delete'; app: App }>();
  const close = () => setAsking(undefined);
  return (
    <>
      <Rows
        label={t.own}
        pages={own.pages}
        count={own.apps.length}
        empty={{ icon: 'plug', title: t.noOwn, text: t.noOwnMore }}
      >
        {own.apps.map((app) => {
          const name = app.name ?? t.nameless;
          const isSubmitted = app.verified !== null;
          return (
            <Row
              key={app.id}
              mark={<Icon name="plug" />}
              title={name}
              badges={
                isSubmitted && (
                  <Badge kind={app.verified ? 'good' : 'blue'}>
                    {app.verified ? t.verified : t.submitted}
                  </Badge>
                )
              }
              note={
                <Facts
                  of={[
                    app.version && t.version(app.version),
                    app.description,
                    isSubmitted && t.installs(app.installCount ?? 0),
                  ]}
                />
              }
              actions={
                <>
                  <Copy text={app.id} label={t.copyId} />
                  {(may.write || may.install || may.secrets) && (
                    <Menu
                      label={serverSettings.actionsFor(name)}
                      placement="below-end"
                      items={[
                        may.install && {
                          label: t.install,
                          icon: 'download',
                          onSelect: () => onAsk('installOwn', app),
                        },
                        may.write && {
                          label: serverSettings.edit,
                          icon: 'pencil',
                          onSelect: () => onAsk('edit', app),
                        },
                        may.secrets && {
                          label: t.newSecret,
                          icon: 'lock',
                          onSelect: () => onAsk('secret', app),
                        },
                        may.write &&
                          !isSubmitted && {
                            label: t.submit,
                            icon: 'upload',
                            onSelect: () => setAsking({ act: 'submit', app }),
                          },
                        may.write && 'line',
                        may.write && {
                          label: t.delete,
                          icon: 'trash',
                          isDanger: true,
                          onSelect: () => setAsking({ act: 'delete', app }),
                        },
                      ]}
                    >
                      {(trigger) => (
                        <IconButton {...trigger} icon="ellipsis" label={serverSettings.actionsFor(name)} />
                      )}
                    </Menu>
                  )}
                </>
              }
            />
          );
        })}
      </Rows>
      {asking?.act === 'submit' && (
        <Confirm
          title={t.askSubmit(asking.app.name ?? t.nameless)}
          text={t.submitMore}
          action={t.submit}
          onConfirm={async () => {
            await api(asking.app.serverId).appSubmit({ id: asking.app.id });
            toast.show(t.submittedNow, { kind: 'good' });
          }}
          onClose={close}
        />
      )}
      {asking?.act === 'delete' && (
        <Confirm
          title={t.askDelete(asking.app.name ?? t.nameless)}
          text={t.deleteMore}
          action={t.delete}
          isDanger
          onConfirm={async () => {
            await api(asking.app.serverId).appDelete({ appId: asking.app.id });
            toast.show(t.deleted);
          }}
          onClose={close}
        />
      )}
    </>
  );
}
