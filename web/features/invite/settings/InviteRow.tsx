import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { common } from '../../../strings/en/common.ts';
import { inviteSettings as t } from '../../../strings/en/moderation.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Badge, Copy, Icon, IconButton } from '../../../ui/index.ts';
import { Facts, Row } from '../../settings/index.ts';
import { Ask, Who } from '../../settings/server/index.ts';
import { inviteLink } from '../index.tsx';
import './invites.css';

/** True if an invite is used up or has expired. */
const isOver = ({ uses, maxUses, expiresAt }: Records['Invite']): boolean =>
  (maxUses !== null && uses >= maxUses) || (expiresAt !== null && expiresAt <= Date.now());

/** The number of characters shown at the end of a link, which distinguish it from others. */
const END = 12;

/** A link on one line, truncated in the middle. */
function ShortLink({ link }: { link: string }) {
  const text = link.replace(/^https?:\/\//, '');
  return (
    <code className="setting-invite-link" dir="ltr" title={link}>
      <span className="setting-invite-begin">{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </code>
  );
}

/** An invite with its link, uses and expiry. */
export function InviteRow({ invite, onShow }: { invite: Records['Invite']; onShow: () => void }) {
  const { id, serverId, creatorId, uses, maxUses, expiresAt } = invite;
  const may = useMay(serverId, 'invite delete', { ownerId: creatorId });
  const [isAsking, setAsking] = useState(false);
  const over = isOver(invite);
  return (
    <Row
      mark={<Icon name="ticket" />}
      title={<ShortLink link={inviteLink(invite)} />}
      badges={over && <Badge kind="warm">{t.over}</Badge>}
      note={
        <Facts
          of={[
            maxUses === null ? t.uses({ uses }) : t.usesOf({ uses, most: maxUses }),
            expiresAt === null ? (
              t.forever
            ) : (
              <span key="end" title={dateTime(expiresAt)}>
                {expiresAt > Date.now()
                  ? t.ends({ when: ago(expiresAt) })
                  : t.ended({ when: ago(expiresAt) })}
              </span>
            ),
            <span key="by">
              {t.by} <Who serverId={serverId} userId={creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <>
          {!over && <Copy text={inviteLink(invite)} label={common.copyLink} />}
          {!over && <IconButton size="small" icon="external-link" label={t.show} onClick={onShow} />}
          {may.allowed && (
            <IconButton size="small" icon="trash" label={t.revoke} onClick={() => setAsking(true)} />
          )}
        </>
      }
    >
      {isAsking && (
        <Ask
          permission={may}
          title={t.ask}
          text={t.askMore}
          action={t.revoke}
          isDanger
          onConfirm={() => api(serverId).inviteDelete({ inviteId: id })}
          done={t.revoked}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}
