import { useState } from 'react';
import { api, PalaverError, type Records } from '../../api/index.ts';
import { navigate } from '../../routes.ts';
import { invitation as t } from '../../strings/en/menus.ts';
import { wholeDay } from '../../strings/format.ts';
import { Avatar, Button, Dialog, toast, WithName } from '../../ui/index.ts';

interface InvitationDialogProps {
  invitation: Records['Invitation'];
  onClose: () => void;
}

/** Asks the user to accept or decline an invitation to a server. */
export function InvitationDialog({ invitation, onClose }: InvitationDialogProps) {
  const { id, serverId, server, inviter, expiresAt } = invitation;
  const [pending, setPending] = useState<'accept' | 'decline'>();
  const answer = async (how: 'accept' | 'decline') => {
    setPending(how);
    try {
      if (how === 'accept') {
        await api('none').invitationAccept({ id });
        navigate({ page: 'server', serverId });
      } else await api('none').invitationDecline({ id });
      onClose();
    } catch (error) {
      setPending(undefined);
      if (!(error instanceof PalaverError) || error.status !== 404) return toast.error(error);
      // The invitation was answered in another tab, was withdrawn, or has expired.
      toast.show(t.gone);
      onClose();
    }
  };
  return (
    <Dialog
      title={t.title}
      size="s"
      isBusy={pending !== undefined}
      onClose={onClose}
      foot={
        <>
          <Button
            isPending={pending === 'decline'}
            disabled={pending !== undefined}
            onClick={() => void answer('decline')}
          >
            {t.decline}
          </Button>
          <Button
            kind="main"
            isPending={pending === 'accept'}
            disabled={pending !== undefined}
            onClick={() => void answer('accept')}
          >
            {t.accept}
          </Button>
        </>
      }
    >
      <div className="stack">
        <div className="invitation-server">
          <Avatar id={serverId} name={server.name} src={server.icon} size={44} isServer />
          <div>
            <strong>
              <bdi>{server.name}</bdi>
            </strong>
            <p className="small muted">{t.members({ count: server.memberCount })}</p>
          </div>
        </div>
        <p>
          {inviter ? (
            <WithName words={t.by} values={{ name: inviter.name, username: inviter.username }} />
          ) : (
            t.byFormerMember
          )}
        </p>
        {server.description && <p dir="auto">{server.description}</p>}
        <p className="small muted">{t.more({ day: wholeDay(expiresAt) })}</p>
      </div>
    </Dialog>
  );
}
