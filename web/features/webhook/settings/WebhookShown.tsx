import { siteAddress } from '../../../api/base.ts';
import type { Records } from '../../../api/records.ts';
import { webhookSettings as t } from '../../../strings/en/programs.ts';
import { WithName } from '../../../ui/index.ts';
import { OnceShown } from '../../settings/server/index.ts';

/** Shows the secret of an outgoing webhook, or the URL of an incoming one, once. */
export function WebhookShown({ webhook, onClose }: { webhook: Records['NewWebhook']; onClose: () => void }) {
  const { name, secret, path } = webhook;
  if (secret !== undefined) {
    return (
      <OnceShown
        title={<WithName words={t.out.shown} values={{ name }} />}
        lead={t.out.shownMore}
        value={secret}
        label={t.out.value}
        onClose={onClose}
      />
    );
  }
  if (path === undefined) return null;
  const address = siteAddress() + path;
  return (
    <OnceShown
      title={<WithName words={t.in.shown} values={{ name }} />}
      lead={t.in.shownMore}
      value={address}
      label={t.in.value}
      lines={[
        { title: t.in.curl, text: `curl ${address} -d '${t.in.hello}'` },
        { title: t.in.grafana, text: address },
        { title: t.in.github, text: `${address}/github` },
        {
          title: t.in.slack,
          text: `curl ${address} -H 'Content-Type: application/json' -d '{"text": "*${t.in.hello}*"}'`,
        },
      ]}
      onClose={onClose}
    />
  );
}
