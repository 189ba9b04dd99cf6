import { pathOf } from '../../routes.ts';

/** The URL of an invite. */
export const inviteLink = ({ id }: { id: string }): string =>
  location.origin + pathOf({ page: 'invite', inviteId: id });
