import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { platform as t } from '../../../strings/en/platform.ts';
import { ago, dateTime, number } from '../../../strings/format.ts';
import { Dialog, ErrorText, Spinner } from '../../../ui/index.ts';
import type { PlatformUser } from './find.ts';

/** Everything that an admin can see about a user, which does not include their messages. */
export function UserDetails({ user, onClose }: { user: PlatformUser; onClose: () => void }) {
  const { data, error, again } = useAsked(user.id, () => api('none').platformUserById({ id: user.id }));
  return (
    <Dialog title={user.name} onClose={onClose}>
      <ErrorText error={error} onAgain={again} />
      {!data && !error && <Spinner />}
      {data && (
        <dl className="platform-facts">
          {factsOf(data).map(([word, value]) => (
            <div key={word} className="platform-fact">
              <dt>{word}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  );
}

function factsOf(user: Records['PlatformAccount']): [string, string][] {
  const words = t.users.facts;
  return [
    [words.username, `@${user.username}`],
    [words.id, user.id],
    [words.since, dateTime(user.createdAt)],
    [words.account, user.hasAccount ? words.yes : words.noAccount],
    [words.email, user.email ?? words.none],
    [words.secondFactor, user.hasSecondFactor ? words.on : words.off],
    [words.sessions, number(user.sessions)],
    [words.grants, number(user.grants)],
    [words.lastUsed, user.lastUsedAt === null ? words.never : ago(user.lastUsedAt)],
    [words.servers, number(user.servers)],
    ...(user.suspendedAt === null
      ? []
      : [[words.suspended, dateTime(user.suspendedAt)] satisfies [string, string]]),
  ];
}
