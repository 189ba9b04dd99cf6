import type { ReactNode } from 'react';
import type { Records } from '../../api/index.ts';
import { invitation as t } from '../../strings/en/menus.ts';
import { Avatar, openDialog } from '../../ui/index.ts';
import { InvitationDialog } from './InvitationDialog.tsx';
import './Invitations.css';

/** The user's open invitations, below their servers in the rail. */
export default function Invitations({ of }: { of: readonly Records['Invitation'][] }): ReactNode {
  return of.map((one) => (
    <li key={one.id} className="rail-server">
      <button
        type="button"
        className="rail-link invitation-link"
        data-item
        aria-label={t.invited({ name: one.server.name })}
        data-tip={t.invited({ name: one.server.name })}
        onClick={() => openDialog((close) => <InvitationDialog invitation={one} onClose={close} />)}
      >
        <Avatar id={one.serverId} name={one.server.name} src={one.server.icon} size={44} isServer />
        <span className="rail-mentions" aria-hidden="true">
          +
        </span>
      </button>
    </li>
  ));
}
