import { Suspense, useState } from 'react';
import { api, type Records } from '../../api/index.ts';
import { serverNow } from '../../api/serverTime.ts';
import { Link } from '../../Link.tsx';
import { useMay } from '../../may/index.ts';
import { common } from '../../strings/en/common.ts';
import { invite as t } from '../../strings/en/menus.ts';
import { Copy, Dialog, Form, Select } from '../../ui/index.ts';
import { optional } from '../../ui/missingPart.ts';
import { Closed } from '../settings/index.ts';
import { inviteLink } from './link.ts';
import './InviteDialog.css';

const QrCode = optional(() => import('../../ui/QrCode.tsx'));

type Invited = Pick<Records['Invite'], 'id' | 'code'>;

interface InviteDialogProps {
  serverId: string;
  /** An existing invite to show. If undefined, a new one is created. */
  invite?: Invited;
  /** True if the dialog was opened from the list of all invites, so it needs no link to that list. */
  isInList?: boolean;
  onClose: () => void;
}

const HOUR = 3_600_000;
/** Milliseconds until an invite expires; 0 for never. */
const spans = [HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 0];
/** Maximum uses; 0 for unlimited. */
const uses = [1, 5, 10, 25, 50, 100, 0];

const optionsOf = (values: readonly number[], label: (value: number) => string) =>
  values.map((value) => ({ value: String(value), label: label(value) }));

function wordOfSpan(span: number): string {
  if (span === 0) return t.ever;
  return span < 24 * HOUR ? t.hours({ hours: span / HOUR }) : t.days({ days: span / (24 * HOUR) });
}

/** Creates an invite and shows its link. */
export default function InviteDialog({ serverId, invite, isInList, onClose }: InviteDialogProps) {
  const [made, setMade] = useState<Invited | undefined>(invite);
  const may = useMay(serverId, 'invite insert');
  if (made)
    return (
      <Dialog title={t.share} size="s" onClose={onClose}>
        <div className="stack invite-dialog">
          <p className="invite-dialog-lead">{t.ready}</p>
          <Copy text={inviteLink(made)} label={common.copyLink} isShown />
          <Suspense fallback={null}>
            <QrCode text={inviteLink(made)} label={t.code} />
          </Suspense>
          {!isInList && (
            <Link to={{ page: 'serverSettings', serverId, section: 'invites' }} onClick={onClose}>
              {t.all}
            </Link>
          )}
        </div>
      </Dialog>
    );
  return (
    <Dialog title={common.invitePeople} size="s" onClose={onClose}>
      <Form
        submit={may.allowed && t.make}
        onCancel={onClose}
        onSubmit={async (values) => {
          const span = Number(values.text('span'));
          setMade(
            await api(serverId).inviteInsert({
              maxUses: Number(values.text('uses')) || null,
              expiresAt: span === 0 ? null : (await serverNow()) + span,
            }),
          );
        }}
      >
        <p className="invite-dialog-lead">{t.lead}</p>
        <Closed permission={may} />
        <Select
          label={t.span}
          name="span"
          defaultValue={String(7 * 24 * HOUR)}
          options={optionsOf(spans, wordOfSpan)}
        />
        <Select
          label={t.uses}
          name="uses"
          defaultValue="0"
          options={optionsOf(uses, (count) => (count === 0 ? t.anybody : t.people({ count })))}
        />
      </Form>
    </Dialog>
  );
}
