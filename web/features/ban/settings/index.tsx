import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useMay } from '../../../may/index.ts';
import { banSettings as t } from '../../../strings/en/moderation.ts';
import { dateTime, shortTime } from '../../../strings/format.ts';
import { Avatar, Button, WithName } from '../../../ui/index.ts';
import { Closed, Facts, FoundRows, Page, Row, useFind } from '../../settings/index.ts';
import type { SectionProps } from '../../settings/server/index.ts';
import { Ask, useServerList, Who } from '../../settings/server/index.ts';

type Ban = Records['ServerBan'];

const textsOf = ({ user, reason }: Ban) => [user.name, user.username, reason];

export default function Bans({ serverId }: SectionProps) {
  const may = useMay(serverId, 'serverBan delete');
  const { pages, rows } = useServerList(
    'serverBan',
    serverId,
    may.allowed &&
      ((cursor) => api(serverId).bansByServer({ serverId, cursor, limit: 100, expand: 'creator' })),
  );
  const found = useFind(t.find, rows, textsOf, { pages });
  const [lifting, setLifting] = useState<Ban>();
  return (
    <Page title={t.title} lead={t.lead}>
      <Closed permission={may} what={t.closed} />
      {may.allowed && (
        <FoundRows
          label={t.title}
          found={found}
          pages={pages}
          empty={{ icon: 'ban', title: t.none, text: t.noneMore }}
        >
          {(ban) => <BanRow key={ban.id} ban={ban} onLift={() => setLifting(ban)} />}
        </FoundRows>
      )}
      {lifting && (
        <Ask
          permission={may}
          title={<WithName words={t.ask} values={{ name: lifting.user.name }} />}
          text={t.askMore}
          action={t.lift}
          onConfirm={() => api(serverId).serverBanDelete({ id: lifting.id })}
          done={t.lifted({ name: lifting.user.name })}
          onClose={() => setLifting(undefined)}
        />
      )}
    </Page>
  );
}

function BanRow({ ban, onLift }: { ban: Ban; onLift: () => void }) {
  const { user, userId, reason, createdAt, creatorId, serverId } = ban;
  return (
    <Row
      mark={<Avatar id={userId} name={user.name} src={user.image} isAgent={user.type === 'agent'} />}
      title={user.name}
      note={
        <Facts
          of={[
            `@${user.username}`,
            <span key="at" title={dateTime(createdAt)}>
              {t.since({ when: shortTime(createdAt) })}
            </span>,
            <span key="by">
              {t.by} <Who serverId={serverId} userId={creatorId} />
            </span>,
          ]}
        />
      }
      actions={
        <Button size="small" aria-label={t.liftFor({ name: user.name })} onClick={onLift}>
          {t.lift}
        </Button>
      }
    >
      {reason && (
        <p className="setting-hint">
          <bdi>{reason}</bdi>
        </p>
      )}
    </Row>
  );
}
