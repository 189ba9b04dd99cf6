import type { Records } from '../../../api/index.ts';
import { imports as t } from '../../../strings/en/platformSettings.ts';

export type Import = Records['PlatformImport'];
type Source = Import['source'];

/** The product names, which are not translated. */
export const sources = (): Record<Source, string> => ({
  slack: 'Slack',
  discord: 'Discord',
  mattermost: 'Mattermost',
  zulip: 'Zulip',
  rocketchat: 'Rocket.Chat',
  palaver: t.ownExport,
});

/** The name of an import in lists: its source and its file. */
export const whatOf = ({ source, name }: Import): string =>
  name === '' ? sources()[source] : `${sources()[source]}, ${name}`;
