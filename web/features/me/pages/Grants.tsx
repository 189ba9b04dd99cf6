import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { grant as t } from '../../../strings/en/account.ts';
import { common, permissions } from '../../../strings/en/common.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Button, Confirm, ErrorText, Icon } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { Facts, Group, Row, Rows } from '../../settings/index.ts';

type Grant = Records['Grant'];

async function allGrants(): Promise<{ grants: Grant[]; names: ReadonlyMap<string, string> }> {
  const grants: Grant[] = [];
  for await (const grant of api('none').grants({ limit: 100 })) grants.push(grant);
  const names = new Map<string, string>();
  if (grants.length > 0)
    for await (const { id, name } of api('none').ownServers({ limit: 100 })) names.set(id, name);
  return { grants, names };
}

/** Apps that act on the user's behalf, each in one server. The user can revoke their access. */
export function Grants() {
  const { data, error, again, keep } = useAsked('grants', allGrants);
  const [isAsked, setAsked] = useState(false);
  const count = data?.grants.length ?? 0;
  if (data && count === 0) return null;

  async function revoke({ id }: Grant): Promise<void> {
    await api('none').grantDelete({ id });
    keep((all) => ({ ...all, grants: all.grants.filter((each) => each.id !== id) }));
  }

  async function revokeAll(): Promise<void> {
    await api('none').grantsDelete();
    keep((all) => ({ ...all, grants: [] }));
  }

  return (
    <Group
      title={t.apps}
      lead={t.appsLead}
      action={count > 1 && <Button onClick={() => setAsked(true)}>{t.revokeAll}</Button>}
    >
      <ErrorText error={error} onAgain={again} />
      {data && (
        <Rows label={t.apps}>
          {data.grants.map((grant) => (
            <GrantRow
              key={grant.id}
              grant={grant}
              server={data.names.get(grant.serverId) ?? ''}
              onRevoke={() => revoke(grant)}
            />
          ))}
        </Rows>
      )}
      {isAsked && (
        <Confirm
          title={t.revokeAll}
          text={t.revokeAllMore({ count })}
          action={t.revokeAll}
          isDanger
          onConfirm={revokeAll}
          onClose={() => setAsked(false)}
        />
      )}
    </Group>
  );
}

interface RowProps {
  grant: Grant;
  server: string;
  onRevoke: () => Promise<unknown>;
}

function GrantRow({ grant, server, onRevoke }: RowProps) {
  const { name, host, flags, lastUsedAt, expiresAt } = grant;
  const [isPending, run] = usePending();
  const may = flags.length === 0 ? t.onlyReads : flags.map((flag) => permissions[flag]).join(', ');
  return (
    <Row
      mark={<Icon name="plug" size={22} />}
      title={name}
      note={
        <Facts
          of={[
            host ?? common.app,
            t.in({ server }),
            may,
            t.used({ when: ago(lastUsedAt) }),
            t.until({ when: dateTime(expiresAt) }),
          ]}
        />
      }
      actions={
        <Button
          size="small"
          isPending={isPending}
          aria-label={t.revokeOf({ app: name })}
          onClick={() => run(onRevoke)}
        >
          {t.revoke}
        </Button>
      }
    />
  );
}
