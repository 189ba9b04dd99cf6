import { useState } from 'react';
import { useAsked } from '../../api/asked.ts';
import { api, type Records } from '../../api/index.ts';
import { platform } from '../../strings/en/platform.ts';
import { platformSettings as t } from '../../strings/en/platformSettings.ts';
import { Badge, Button, Choice, ErrorText, Form, Spinner, TextField, toast } from '../../ui/index.ts';
import { withProof } from '../session/index.ts';
import { Page } from '../settings/index.ts';
import { StartSettings } from './StartSettings.tsx';

type Setting = Records['PlatformSetting'];

/** A setting's UI strings. */
interface SettingWords {
  title: string;
  about: string;
  /** The labels of a text setting's values. Undefined for numbers. */
  values?: Partial<Record<string, string>>;
  /** The unit shown next to a number's field. */
  after?: string;
  /** Formats a number with its unit. */
  unit?: (values: { value: number }) => string;
}

/** UI strings by setting name. */
const names: Partial<Record<string, SettingWords>> = t.names;

/** The settings that can be changed at runtime, followed by those that require a restart. */
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
    <Page title={platform.sections.settings} lead={t.lead}>
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data?.map((setting) => (
        <OneSetting key={setting.name} setting={setting} onChange={put} />
      ))}
      <StartSettings />
    </Page>
  );
}

function OneSetting({ setting, onChange }: { setting: Setting; onChange: (setting: Setting) => void }) {
  const { name, value, source, own, ownSource, about } = setting;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const isOfHere = source === 'platform';

  async function put(next: string | null): Promise<void> {
    onChange(await withProof(() => api('none').platformSettingUpdate({ name, value: next })));
    toast.show(t.changed, { kind: 'good' });
  }

  async function change(next: string | null): Promise<void> {
    setBusy(true);
    setError(undefined);
    try {
      await put(next);
    } catch (reason) {
      setError(reason);
    }
    setBusy(false);
  }

  const words = names[name];
  return (
    <section className="platform-setting" aria-labelledby={`setting-${name}`}>
      <header className="platform-setting-foot">
        <h2 className="setting-subtitle" id={`setting-${name}`}>
          {words?.title ?? name}
        </h2>
        <Badge kind={isOfHere ? 'accent' : 'plain'}>{t.sources[source]}</Badge>
      </header>
      <p className="setting-lead">{words?.about ?? about}</p>
      {setting.max === null ? (
        <Choice
          label={words?.title ?? name}
          isLabelHidden
          options={setting.values.map((each) => ({ value: each, label: wordOf(name, each) }))}
          value={value}
          isDisabled={isBusy}
          onValue={change}
        />
      ) : (
        <NumberForm key={value} setting={setting} onNumber={put} />
      )}
      <ErrorText error={error} />
      {isOfHere && (
        <div className="platform-setting-foot">
          <p className="platform-muted">
            {t.otherwise({ value: wordOf(name, own), source: t.sources[ownSource] })}
          </p>
          <Button size="small" isPending={isBusy} onClick={() => change(null)}>
            {t.takeBack}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A value as displayed. */
const wordOf = (name: string, value: string): string => {
  const words = names[name];
  return words?.unit?.({ value: Number(value) }) ?? words?.values?.[value] ?? value;
};

interface NumberFormProps {
  setting: Setting;
  onNumber: (value: string) => Promise<void>;
}

/** A number field with bounds, saved on submit. */
function NumberForm({ setting: { name, value, min, max }, onNumber }: NumberFormProps) {
  return (
    <Form label={names[name]?.title ?? name} onSubmit={(values) => onNumber(values.text('value'))}>
      <TextField
        label={names[name]?.title ?? name}
        isLabelHidden
        name="value"
        type="number"
        required
        min={min ?? 0}
        max={max ?? undefined}
        defaultValue={value}
        after={<span className="platform-muted">{names[name]?.after}</span>}
        hint={t.between({ min: min ?? 0, max: max ?? 0 })}
      />
    </Form>
  );
}
