import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import type { Permission } from '../../../may/index.ts';
import { appSettings as t } from '../../../strings/en/appSettings.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { Badge, Copy, Icon, IconButton, Menu, toast, WithName } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';
import { Ask } from '../../settings/server/index.ts';
import type { OwnApps as Own } from './useOwnApps.ts';

type App = Records['App'];

interface OwnAppsProps {
  own: Own;
  /** The ids of the apps that are installed, own ones and others. */
  installed: ReadonlySet<string>;
  may: { write: Permission; install: boolean; secrets: boolean };
  onAsk: (act: 'edit' | 'installOwn' | 'secret', app: App) => void;
}

/** The apps that a server has made. */
export function OwnApps({ own, installed, may, onAsk }: OwnAppsProps) {
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
                  {(may.write.allowed || may.install || may.secrets) && (
                    <Menu
                      label={serverSettings.actionsFor(name)}
                      placement="below-end"
                      items={[
                        may.install && {
                          label: t.install,
                          icon: 'download',
                          ...(installed.has(app.id) && { isDisabled: true, note: t.isInstalled }),
                          onSelect: () => onAsk('installOwn', app),
                        },
                        may.write.allowed && {
                          label: serverSettings.edit,
                          icon: 'pencil',
                          onSelect: () => onAsk('edit', app),
                        },
                        may.secrets && {
                          label: t.newSecret,
                          icon: 'lock',
                          onSelect: () => onAsk('secret', app),
                        },
                        may.write.allowed &&
                          !isSubmitted && {
                            label: t.submit,
                            icon: 'upload',
                            onSelect: () => setAsking({ act: 'submit', app }),
                          },
                        may.write.allowed && 'line',
                        may.write.allowed && {
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
        <Ask
          permission={may.write}
          title={<WithName words={t.askSubmit} name={asking.app.name ?? t.nameless} />}
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
        <Ask
          permission={may.write}
          title={<WithName words={t.askDelete} name={asking.app.name ?? t.nameless} />}
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
