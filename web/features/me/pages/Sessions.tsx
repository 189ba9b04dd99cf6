import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { common } from '../../../strings/en/common.ts';
import { me as t } from '../../../strings/en/me.ts';
import { ago, dateTime } from '../../../strings/format.ts';
import { Badge, Button, ErrorText, Icon, type IconName, Spinner } from '../../../ui/index.ts';
import { usePending } from '../../../ui/usePending.ts';
import { signOut } from '../../session/index.ts';
import { Facts, Page, Row, Rows } from '../../settings/index.ts';
import { deviceIn } from '../device.ts';
import { deviceName } from '../deviceName.ts';
import { SignOutOthers } from '../security/SignOutOthers.tsx';
import { Grants } from './Grants.tsx';

type Session = Records['ListedSession'];

async function allSessions(): Promise<Session[]> {
  const found: Session[] = [];
  for await (const session of api('none').sessions({ limit: 100 })) found.push(session);
  // Puts the current session first, then sorts by last use.
  return found.sort((one, other) => +other.isCurrent - +one.isCurrent || other.lastUsedAt - one.lastUsedAt);
}

const nameOf = ({ device }: Session): string => deviceName(device);

function iconOf({ form, device }: Session): IconName {
  if (form === 'bearer') return 'square-terminal';
  return deviceIn(device ?? '')?.isPhone ? 'smartphone' : 'laptop';
}

/** The user's sessions, which they can revoke. */
export function Sessions() {
  const { data, error, again, keep } = useAsked('sessions', allSessions);
  const others = data?.filter(({ isCurrent }) => !isCurrent) ?? [];

  async function end({ id }: Session): Promise<void> {
    await api('none').sessionDelete({ id });
    keep((all) => all.filter((each) => each.id !== id));
  }

  return (
    <Page
      title={t.sections.sessions}
      lead={t.sessions.lead}
      action={
        others.length > 0 && (
          <SignOutOthers
            count={others.length}
            onDone={() => keep((all) => all.filter(({ isCurrent }) => isCurrent))}
          />
        )
      }
    >
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data && (
        <Rows label={t.sections.sessions}>
          {data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              onEnd={() => (session.isCurrent ? signOut() : end(session))}
            />
          ))}
        </Rows>
      )}
      <Grants />
    </Page>
  );
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: () => Promise<unknown> }) {
  const [isPending, run] = usePending();
  return (
    <Row
      mark={<Icon name={iconOf(session)} size={22} />}
      title={nameOf(session)}
      badges={session.isCurrent && <Badge kind="good">{t.sessions.here}</Badge>}
      note={
        <Facts
          of={[
            session.form === 'bearer' ? common.app : t.sessions.browser,
            t.sessions.used({ when: ago(session.lastUsedAt) }),
            t.sessions.since({ when: dateTime(session.createdAt) }),
          ]}
        />
      }
      actions={
        <Button
          size="small"
          isPending={isPending}
          aria-label={t.sessions.endOf({ device: nameOf(session) })}
          onClick={() => run(onEnd)}
        >
          {common.signOut}
        </Button>
      }
    />
  );
}
