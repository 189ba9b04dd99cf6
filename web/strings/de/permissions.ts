import type * as english from '../en/permissions.ts';
import { texts } from '../texts.ts';

export const permissions: typeof english.permissions = texts({
  canAdmin: 'Administration',
  canEditServer: 'Server verwalten',
  canEditChannel: 'Kanäle verwalten',
  canEditData: 'Mitmachen',
  canModerate: 'Moderieren',
  canEditApp: 'Integrationen verwalten',
  canViewData: 'Integrationen ansehen',
});

export const sentence: typeof english.sentence = texts({
  permission: '„{name}“',
});
