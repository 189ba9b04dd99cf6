import { useAsked } from '../../api/asked.ts';
import { base } from '../../api/base.ts';
import { api, type Records } from '../../api/index.ts';
import { platformSettings as t } from '../../strings/en/platformSettings.ts';
import { Badge, ErrorText, Table } from '../../ui/index.ts';
import { Group } from '../settings/index.ts';

type Setting = Records['StartSetting'];

const found = async (): Promise<Setting[]> =>
  (await api('none').platformStartSettings()).filter(({ canChange }) => !canChange);

/** The settings that nodes read on startup, with the source of each value. */
export function StartSettings() {
  const { data, error, again } = useAsked('start settings', found);
  return (
    <Group title={t.others} lead={t.othersMore}>
      <ErrorText error={error} onAgain={again} />
      {!error && (
        <Table
          label={t.others}
          rows={data}
          keyOf={({ name }) => name}
          columns={[
            {
              key: 'name',
              label: t.setting,
              show: ({ name }) => (
                <code className="platform-setting-name" dir="ltr">
                  {name}
                </code>
              ),
            },
            { key: 'value', label: t.value, show: ({ value }) => <Value of={value} /> },
            { key: 'source', label: t.source, show: (setting) => <Source of={setting} /> },
          ]}
        />
      )}
      <p>
        <a href={`${base}/docs/guides/settings`}>{t.guide}</a>
      </p>
    </Group>
  );
}

/** Formats a JSON value as one line that can wrap. */
function lineOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? value.map((one) => JSON.stringify(one))
    : Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one)}`);
  return parts.join(', ');
}

function Value({ of }: { of: string }) {
  const line = lineOf(JSON.parse(of));
  if (line === '') return <span className="platform-muted">{t.empty}</span>;
  return (
    <code className="platform-value" dir="ltr">
      {line}
    </code>
  );
}

/** Only values that were set explicitly get a badge. Its tooltip names the environment variable. */
const Source = ({ of: { source, environment } }: { of: Setting }) =>
  source === 'default' ? (
    <span className="platform-muted">{t.sources.default}</span>
  ) : (
    <span title={environment}>
      <Badge kind="accent">{t.sources[source]}</Badge>
    </span>
  );
