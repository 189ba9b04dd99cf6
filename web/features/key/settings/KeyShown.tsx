import { siteAddress } from '../../../api/base.ts';
import type { Records } from '../../../api/records.ts';
import { useChannels, useRow } from '../../../replica/hooks.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { WithName } from '../../../ui/index.ts';
import { OnceShown } from '../../settings/server/index.ts';

/** Shows a new API key once, with a command that uses it. */
export function KeyShown({ secret, onClose }: { secret: Records['NewSecret']; onClose: () => void }) {
  const { serverId, roleId, key } = secret;
  const role = useRow('role', roleId);
  const channel = useChannels(serverId).find((each) => !each.private && !each.readonly);
  if (key === undefined) return null;
  const canSend = role !== undefined && (role.canEditData || role.canModerate || role.canAdmin);
  const head = `-H 'Authorization: Bearer ${key}'`;
  const read = `curl ${siteAddress()}/api/v1/users/me ${head}`;
  const body = channel && JSON.stringify({ channelId: channel.id, content: t.hello });
  const send = `curl ${siteAddress()}/api/v1/messages ${head} -H 'Content-Type: application/json' -d '${body}'`;
  return (
    <OnceShown
      title={<WithName words={t.shown} values={{ name: secret.name }} />}
      lead={t.shownMore}
      value={key}
      label={t.key}
      lines={[
        { title: t.tryIt, text: read },
        ...(channel && canSend ? [{ title: t.sendIt({ channel: channel.name }), text: send }] : []),
      ]}
      onClose={onClose}
    />
  );
}
