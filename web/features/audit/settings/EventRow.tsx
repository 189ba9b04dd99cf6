import { useState } from 'react';
import { useRow } from '../../../replica/hooks.ts';
import { permissions } from '../../../strings/en/common.ts';
import { auditSettings as t } from '../../../strings/en/records.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago, dateTime, list } from '../../../strings/format.ts';
import { Avatar, Icon, IconButton } from '../../../ui/index.ts';
import { Facts, Row } from '../../settings/index.ts';
import { Json, useUser, Who } from '../../settings/server/index.ts';
import { actorOf, nameOfActor } from './actors.ts';
import type { Change } from './changes.ts';
import { actOf, roleIdOf, subjectOf, userIdOf } from './words.ts';

/** The label of a field. For a role's flag, this is the permission's name. */
const wordOf = (field: string): string =>
  (t.fieldNames as Record<string, string>)[field] ?? (permissions as Record<string, string>)[field] ?? field;

/** An event in the audit log as a sentence. Its record is shown on demand. */
export function EventRow({ serverId, event, fields }: Change & { serverId: string }) {
  const [isOpen, setOpen] = useState(false);
  const actor = useUser(serverId, event.actorId);
  return (
    <Row
      mark={
        event.actorId ? (
          <Avatar
            id={event.actorId}
            name={actor?.name ?? '?'}
            src={actor?.image}
            size={28}
            isAgent={actor?.type === 'agent'}
          />
        ) : (
          <Icon name="server" />
        )
      }
      title={<Sentence serverId={serverId} event={event} />}
      note={
        <Facts
          of={[
            <span key="at" title={dateTime(event.at)}>
              {ago(event.at)}
            </span>,
            event.actor === 'key' && actor?.type === 'person' && t.byKey,
            fields && t.fields({ names: list(fields.map(wordOf)) }),
            <code key="type">{event.type}</code>,
          ]}
        />
      }
      actions={
        <IconButton
          size="small"
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          label={(isOpen ? t.close : t.open)({
            act: [actOf(event), subjectOf(event)].filter(Boolean).join(' '),
          })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      }
    >
      {isOpen && <Json value={event} label={t.record} />}
    </Row>
  );
}

function Sentence({ serverId, event }: { serverId: string; event: Change['event'] }) {
  const actor = useUser(serverId, event.actorId);
  const role = useRow('role', roleIdOf(event));
  const subject = subjectOf(event);
  const userId = userIdOf(event);
  return (
    <span className="audit-sentence">
      <bdi title={actor && `@${actor.username}`}>
        {actor?.name ?? nameOfActor(actorOf(event)) ?? serverSettings.somebody}
      </bdi>{' '}
      <span className="setting-audit-act">{actOf(event)}</span>{' '}
      {subject && <bdi title={subject}>{subject}</bdi>}
      {userId && <Who serverId={serverId} userId={userId} />}
      {role && (
        <>
          {' – '}
          <bdi title={role.name}>{role.name}</bdi>
        </>
      )}
    </span>
  );
}
