import { pathOf } from '../../routes.ts';

/** The address at which an invite is taken. */
export const inviteLink = ({ id }: { id: string }): string =>
  location.origin + pathOf({ page: 'invite', inviteId: id });
