import { pathOf } from '../../routes.ts';

/** The URL of an invite. */
export const inviteLink = ({ id, code }: { id: string; code: string | null }): string =>
  location.origin + pathOf({ page: 'invite', inviteId: code ?? id });
