import { api, type Records } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { useMay } from '../../../may/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { heldSettings as t } from '../../../strings/en/moderation.ts';
import { serverSettings as shared } from '../../../strings/en/serverSettings.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Button, toast } from '../../../ui/index.ts';
import { AskedRows, Closed, Facts, Page, Row } from '../../settings/index.ts';
import { type SectionProps, useUser } from '../../settings/server/index.ts';

type Held = Records['ShownHeldMessage'];

/** The messages held by word rules, for moderators. */
export default function HeldMessages({ serverId }: SectionProps) {
  const may = useMay(serverId, 'heldMessage update');
  const pages = usePages([serverId, may.allowed].join(' '), async (cursor) =>
    may.allowed
      ? api(serverId).heldMessagesByServer({ serverId, cursor })
      : Object.assign([], { nextCursor: null }),
  );
  const decide = async ({ id }: Held, does: 'approve' | 'reject') => {
    try {
      if (does === 'approve') await api(serverId).heldMessageApprove({ id });
      else await api(serverId).heldMessageDelete({ id });
      pages.put(id, undefined);
      toast.show(t.decided[does], { kind: 'good' });
    } catch (failed) {
      toast.error(failed);
    }
  };
  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={t.forbidden} />
      {may.allowed && (
        <AskedRows label={t.title} pages={pages} empty={{ icon: 'clock', title: t.none, text: t.noneMore }}>
          {(held) => <HeldRow key={held.id} held={held} onDecide={decide} />}
        </AskedRows>
      )}
    </Page>
  );
}

interface HeldRowProps {
  held: Held;
  onDecide: (held: Held, does: 'approve' | 'reject') => Promise<void>;
}

function HeldRow({ held, onDecide }: HeldRowProps) {
  const { serverId, creatorId, channelId, content, pattern, createdAt } = held;
  const name = useUser(serverId, creatorId)?.name ?? shared.somebody;
  const channel = useRow('channel', channelId);
  return (
    <Row
      title={name}
      note={
        <Facts
          of={[
            channel && <bdi key="channel">#{channel.name}</bdi>,
            <span key="at" title={dateTime(createdAt)}>
              {shortTime(createdAt)}
            </span>,
            t.by({ pattern }),
          ]}
        />
      }
      actions={
        <>
          <Button size="small" aria-label={t.approveOf({ name })} onClick={() => onDecide(held, 'approve')}>
            {t.approve}
          </Button>
          <Button
            size="small"
            kind="quiet"
            aria-label={t.rejectOf({ name })}
            onClick={() => onDecide(held, 'reject')}
          >
            {t.reject}
          </Button>
        </>
      }
    >
      <blockquote dir="auto">{content}</blockquote>
    </Row>
  );
}
