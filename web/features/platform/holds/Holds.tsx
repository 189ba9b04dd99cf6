import { useState } from 'react';
import { api } from '../../../api/index.ts';
import { usePages } from '../../../api/pages.ts';
import { platform } from '../../../strings/en/platform.ts';
import { holds as t } from '../../../strings/en/platformSettings.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Badge, Button, Confirm, toast } from '../../../ui/index.ts';
import { withProof } from '../../session/index.ts';
import { AskedRows, Create, Facts, Page, Row } from '../../settings/index.ts';
import { type Hold, holdsPage, isActive } from './find.ts';
import { KeptMessages } from './KeptMessages.tsx';
import { NewHold } from './NewHold.tsx';

/** Lists the legal holds, and lets admins create and end them. */
export function Holds() {
  /** The number of holds created on this page. The list is reloaded after each. */
  const [created, setCreated] = useState(0);
  const pages = usePages(String(created), holdsPage);
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<Hold>();
  const [shown, setShown] = useState<Hold>();
  return (
    <Page
      title={platform.sections.holds}
      lead={t.lead}
      action={<Create label={t.create} onClick={() => setCreating(true)} />}
    >
      <AskedRows
        label={platform.sections.holds}
        pages={pages}
        empty={{ icon: 'lock', title: t.none, text: t.noneMore }}
      >
        {(hold) => (
          <HoldRow key={hold.id} hold={hold} onShow={() => setShown(hold)} onEnd={() => setEnding(hold)} />
        )}
      </AskedRows>
      {isCreating && (
        <NewHold onMade={() => setCreated((count) => count + 1)} onClose={() => setCreating(false)} />
      )}
      {shown && <KeptMessages hold={shown} onClose={() => setShown(undefined)} />}
      {ending && (
        <Confirm
          title={t.ask}
          text={t.askMore}
          action={t.end}
          isDanger
          onConfirm={async () => {
            const ended = await withProof(() => api('none').platformHoldEnd({ id: ending.id }));
            pages.put(ending.id, { ...ending, ...ended });
            toast.show(t.done, { kind: 'good' });
          }}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Page>
  );
}

interface HoldRowProps {
  hold: Hold;
  onShow: () => void;
  onEnd: () => void;
}

function HoldRow({ hold, onShow, onEnd }: HoldRowProps) {
  const { reason, createdAt, until, endedAt } = hold;
  const isHeld = isActive(hold);
  return (
    <Row
      title={<bdi>{reason}</bdi>}
      badges={<Badge kind={isHeld ? 'accent' : 'plain'}>{isHeld ? t.active : t.ended}</Badge>}
      note={
        <Facts
          of={[
            <bdi key="scope">{scopeOf(hold)}</bdi>,
            <span key="since" title={dateTime(createdAt)}>
              {t.since({ when: shortTime(createdAt) })}
            </span>,
            until !== null && endedAt === null && t.until({ when: shortTime(until) }),
            endedAt !== null && t.endedAt({ when: shortTime(endedAt) }),
          ]}
        />
      }
      actions={
        <>
          <Button size="small" aria-label={t.keptNamed({ reason })} onClick={onShow}>
            {t.kept}
          </Button>
          {isHeld && (
            <Button size="small" aria-label={t.endNamed({ reason })} onClick={onEnd}>
              {t.end}
            </Button>
          )}
        </>
      }
    />
  );
}

/** The scope of a hold: its server, and the user or the channel in it. */
function scopeOf({ serverId, server = serverId, userId, username, channelId, channelName }: Hold): string {
  const user = username === undefined ? userId : `@${username}`;
  const channel = channelName === null ? channelId : `#${channelName}`;
  if (user !== null && channel !== null) return t.scopes.both({ server, user, channel });
  if (user !== null) return t.scopes.user({ server, user });
  return channel === null ? t.scopes.server({ server }) : t.scopes.channel({ server, channel });
}
