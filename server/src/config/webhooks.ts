import { hostPatterns, yesOrNo } from '../lib/settings.ts';

/**
 * The settings for the hosts to which webhooks and pushes may be sent, and from which apps' metadata
 * documents may be loaded.
 */
export const webhookSettings = {
  privateWebhooks: {
    env: 'PALAVER_PRIVATE_WEBHOOKS',
    default: false,
    about: 'Allow webhooks to private, loopback and link-local addresses',
    parse: yesOrNo,
  },
  webhookHosts: {
    env: 'PALAVER_WEBHOOK_HOSTS',
    default: [] as readonly string[],
    about:
      'The only hosts that webhooks may be sent to, separated by commas: names, addresses, or *.example.com for all subdomains. If empty, all public hosts are allowed',
    parse: hostPatterns,
  },
  clientDocumentsPrivate: {
    env: 'PALAVER_CLIENT_DOCUMENTS_PRIVATE',
    default: false,
    about: 'Allow metadata documents of apps on private, loopback and link-local addresses, and without TLS',
    parse: yesOrNo,
  },
  pushPrivate: {
    env: 'PALAVER_PUSH_PRIVATE',
    default: false,
    about: 'Allow push services on private, loopback and link-local addresses, and without TLS',
    parse: yesOrNo,
  },
};
