import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { appSettings as t } from '../../../strings/en/programs.ts';
import { Button, Dialog, Icon, TextField } from '../../../ui/index.ts';
import { Facts, Row, Rows } from '../../settings/index.ts';

type App = Records['App'];

interface RegistryProps {
  /** The IDs of the installed apps loaded so far. */
  installed: ReadonlySet<string>;
  onInstall: (app: App) => void;
  /** Called when the user wants to enter the ID of an unverified app. */
  onId: () => void;
  onClose: () => void;
}

/** The registry's verified apps, with search. */
export function Registry({ installed, onInstall, onId, onClose }: RegistryProps) {
  const [typed, setTyped] = useState('');
  const words = typed.trim();
  const pages = usePages<App>(
    words,
    (cursor) =>
      api('none').registryApps({ limit: 50, ...(words && { q: words }), ...(cursor && { cursor }) }),
    { isSearch: true },
  );
  const apps = pages.rows ?? [];
  return (
    <Dialog
      title={t.registry}
      size="l"
      onClose={onClose}
      foot={<Button onClick={onId}>{t.installById}</Button>}
    >
      <TextField
        name="words"
        type="search"
        label={t.find}
        value={typed}
        onText={setTyped}
        maxLength={100}
        autoFocus
      />
      <Rows
        label={t.registry}
        pages={{ ...pages, isReading: pages.isAsking && pages.error === undefined }}
        count={apps.length}
        empty={{ icon: 'plug', title: words ? t.noneFound : t.noneRegistered, text: t.noneRegisteredMore }}
      >
        {apps.map((app) => (
          <RegistryRow
            key={app.id}
            app={app}
            isInstalled={installed.has(app.id)}
            onInstall={() => onInstall(app)}
          />
        ))}
      </Rows>
    </Dialog>
  );
}

interface RegistryRowProps {
  app: App;
  isInstalled: boolean;
  onInstall: () => void;
}

function RegistryRow({ app, isInstalled, onInstall }: RegistryRowProps) {
  const name = app.name ?? t.nameless;
  return (
    <Row
      mark={<Icon name="plug" />}
      title={name}
      note={
        <Facts
          of={[
            app.description,
            app.publisherName,
            app.version && t.version({ version: app.version }),
            t.installs({ count: app.installCount ?? 0 }),
          ]}
        />
      }
      actions={
        isInstalled ? (
          <span>{t.isInstalled}</span>
        ) : (
          <Button aria-label={t.installNamed({ name })} onClick={onInstall}>
            {t.installIt}
          </Button>
        )
      }
    />
  );
}
