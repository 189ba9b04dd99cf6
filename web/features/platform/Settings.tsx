import { useState } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';
import { platform as t } from '../../strings/en/platform.ts';
import { Badge, Button, Choice, ErrorText, Spinner, toast } from '../../ui/index.ts';
import { withProof } from '../session/index.ts';
import { Group, Page } from '../settings/index.ts';

type Setting = Records['PlatformSetting'];

/** The settings that may change while the server runs; and where the others are. */
export function Settings() {
  const { data, error, again, keep } = useAsked('settings', () => api('none').platformSettings());
  const put = (changed: Setting) =>
    keep((all) =>
      Object.assign(
        all.map((each) => (each.name === changed.name ? changed : each)),
        { nextCursor: null },
      ),
    );
  return (
    <Page title={t.sections.settings} lead={t.settings.lead}>
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data?.map((setting) => (
        <OneSetting key={setting.name} setting={setting} onChange={put} />
      ))}
      <Group title={t.settings.others} lead={t.settings.othersMore}>
        <p>
          <a href="/docs/guides/settings">{t.settings.guide}</a>
        </p>
      </Group>
    </Page>
  );
}

function OneSetting({ setting, onChange }: { setting: Setting; onChange: (setting: Setting) => void }) {
  const { name, value, values, source, own, ownSource, about } = setting;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isOfHere = source === 'platform';

  async function change(next: string | null): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      onChange(await withProof(() => api('none').platformSettingUpdate({ name, value: next })));
      toast.show(t.settings.changed, { kind: 'good' });
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  const words = t.settings.names[name];
  return (
    <section className="platform-setting" aria-labelledby={`setting-${name}`}>
      <header className="platform-setting-foot">
        <h2 className="setting-subtitle" id={`setting-${name}`}>
          {words?.title ?? name}
        </h2>
        <Badge kind={isOfHere ? 'accent' : 'plain'}>{t.settings.sources[source]}</Badge>
      </header>
      <p className="setting-lead">{words?.about ?? about}</p>
      <Choice
        label={words?.title ?? name}
        isLabelHidden
        options={values.map((each) => ({ value: each, label: words?.values[each] ?? each }))}
        value={value}
        isDisabled={isBusy}
        onValue={change}
      />
      <ErrorText error={error} />
      {isOfHere && (
        <div className="platform-setting-foot">
          <p className="platform-muted">
            {t.settings.otherwise(words?.values[own] ?? own, t.settings.sources[ownSource])}
          </p>
          <Button size="small" isPending={isBusy} onClick={() => change(null)}>
            {t.settings.takeBack}
          </Button>
        </div>
      )}
    </section>
  );
}
