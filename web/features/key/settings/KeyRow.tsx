import { useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { useRow } from '../../../replica/hooks.ts';
import { keySettings as t } from '../../../strings/en/programs.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Badge, Icon, WithName } from '../../../ui/index.ts';
import { Facts, Row, ruleInWords } from '../../settings/index.ts';
import { Ask, RoleName, RowMenu, useReachOfKey, useUser, Who } from '../../settings/server/index.ts';

type Secret = Records['Secret'];

const isOver = ({ expiresAt }: Secret): boolean => expiresAt !== null && expiresAt <= Date.now();

/** An API key with its user, role and last use, but never its value. */
export function KeyRow({ secret, onRotate }: { secret: Secret; onRotate: () => void }) {
  const { id, serverId, name, preview } = secret;
  const { change, remove } = useReachOfKey(secret);
  const [isAsking, setAsking] = useState(false);
  return (
    <Row
      mark={<Icon name="key-round" />}
      title={name}
      badges={
        <>
          <code className="muted">{preview}</code>
          {isOver(secret) && <Badge kind="warm">{t.over}</Badge>}
        </>
      }
      note={<KeyFacts secret={secret} />}
      actions={
        <RowMenu
          name={name}
          items={[
            !change.allowed && { heading: ruleInWords(change) },
            { label: t.rotate, icon: 'refresh-cw', onSelect: onRotate, isDisabled: !change.allowed },
            !remove.allowed && { heading: ruleInWords(remove) },
            {
              label: t.revoke,
              icon: 'trash',
              isDanger: true,
              isDisabled: !remove.allowed,
              onSelect: () => setAsking(true),
            },
          ]}
        />
      }
    >
      {isAsking && (
        <Ask
          permission={remove}
          title={<WithName words={t.ask} values={{ name }} />}
          text={t.askMore}
          action={t.revoke}
          isDanger
          onConfirm={() => api(serverId).secretDelete({ id })}
          done={t.revoked({ name })}
          onClose={() => setAsking(false)}
        />
      )}
    </Row>
  );
}

function KeyFacts({ secret }: { secret: Secret }) {
  const { serverId, userId, creatorId, expiresAt, lastUsedAt, earlier, roleId } = secret;
  const role = useRow('role', roleId);
  const user = useUser(serverId, userId);
  return (
    <>
      <Facts
        of={[
          <span key="as">
            {user?.type === 'agent' ? t.asAgent : t.as} <Who serverId={serverId} userId={userId} />
          </span>,
          role && <RoleName key="role" role={role} />,
          <span key="used" title={lastUsedAt === null ? undefined : dateTime(lastUsedAt)}>
            {lastUsedAt === null ? t.unused : t.used({ when: ago(lastUsedAt) })}
          </span>,
        ]}
      />
      <Facts
        of={[
          <span key="made" title={dateTime(secret.createdAt)}>
            {serverSettings.createdBy({ when: ago(secret.createdAt) })}{' '}
            <Who serverId={serverId} userId={creatorId} />
          </span>,
          expiresAt === null ? (
            t.forever
          ) : (
            <span key="end" title={dateTime(expiresAt)}>
              {isOver(secret) ? t.ended({ when: ago(expiresAt) }) : t.ends({ when: ago(expiresAt) })}
            </span>
          ),
          earlier &&
            earlier.until > Date.now() &&
            t.earlier({ preview: earlier.preview, when: ago(earlier.until) }),
        ]}
      />
    </>
  );
}
