import { useState } from 'react';
import { useAsked } from '../../../api/asked.ts';
import { api, type Records } from '../../../api/index.ts';
import { grant as t } from '../../../strings/en/account.ts';
import { common } from '../../../strings/en/common.ts';
import { session } from '../../../strings/en/session.ts';
import { Checkbox, ErrorText, Select, Spinner } from '../../../ui/index.ts';
import type { Myself } from '../account.ts';
import { type Authorization, deniedAt, serverOf } from '../authorization.ts';
import { withProof } from '../proof.ts';
import { Decision } from './Decision.tsx';
import { Gate } from './Gate.tsx';
import './grant.css';

type Server = Records['OwnServer'];
type Flag = Server['flags'][number];

const flags = Object.keys(t.allows) as Flag[];

async function ownServers(): Promise<Server[]> {
  const found: Server[] = [];
  for await (const server of api('none').ownServers({ limit: 100 })) found.push(server);
  return found;
}

interface Props {
  asked: Authorization & { grant: NonNullable<Authorization['grant']> };
  app: Records['ApprovalClient'];
  me: Myself;
  leave: (to: string) => void;
}

/** Asks whether an app may act as the user in one server. The user selects the server and the permissions. */
export function GrantDecision(props: Props) {
  const { app, asked } = props;
  const { data, error, again } = useAsked('servers', ownServers);
  const named = serverOf(asked.grant.resource);
  const servers = data?.filter(({ id }) => named === undefined || id === named) ?? [];
  if (servers.length > 0) return <Chosen {...props} servers={servers} />;
  return (
    <Gate title={t.title({ app: app.name })} icon="plug">
      {data ? (
        <p>{named === undefined ? t.noServers : t.notMember({ app: app.name })}</p>
      ) : error ? (
        <ErrorText error={error} onAgain={again} />
      ) : (
        <Spinner />
      )}
    </Gate>
  );
}

function Chosen({ asked, app, me, leave, servers }: Props & { servers: readonly Server[] }) {
  const [server, setServer] = useState(servers[0] as Server);
  const [ticked, setTicked] = useState<readonly Flag[]>(
    flags.filter((flag) => asked.grant.scopes.includes(flag)),
  );
  const held = (flag: Flag): boolean => server.flags.includes(flag);
  const tick = (flag: Flag, isOn: boolean) =>
    setTicked((all) => (isOn ? [...all, flag] : all.filter((other) => other !== flag)));

  async function approve(): Promise<void> {
    const { client, redirectUri, codeChallenge, state, grant } = asked;
    const { resource } = grant;
    const body = {
      ...{ client, redirectUri, codeChallenge, codeChallengeMethod: 'S256' as const, state },
      ...{ serverId: server.id, flags: ticked.filter(held), resource },
    };
    leave((await withProof(() => api('none').approvalRedirect(body))).redirectTo);
  }

  const url = new URL(asked.redirectUri);
  const place = app.isLocal ? session.authorize.thisMachine({ port: url.port || '80' }) : url.host;
  return (
    <Decision
      title={t.title({ app: app.name })}
      lead={t.lead({ name: me.name, username: me.username })}
      facts={[
        [common.app, app.name],
        ...(app.host === null ? [] : [[t.host, app.host] satisfies [string, string]]),
        [t.redirect, place],
        ...(servers.length > 1 ? [] : [[t.server, server.name] satisfies [string, string]]),
      ]}
      warning={
        app.host === null
          ? t.unverifiedName({ app: app.name })
          : t.unverified({ app: app.name, host: app.host })
      }
      onApprove={approve}
      onDeny={async () => leave(deniedAt(asked))}
    >
      {servers.length > 1 && (
        <Select
          label={t.server}
          value={server.id}
          options={servers.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={(id) => setServer(servers.find((each) => each.id === id) ?? server)}
        />
      )}
      <fieldset className="grant-flags">
        <legend>{t.may}</legend>
        <Checkbox label={t.reads} isOn isDisabled />
        {flags.map((flag) => (
          <Checkbox
            key={flag}
            label={t.allows[flag]}
            hint={held(flag) ? undefined : t.lacks}
            isOn={held(flag) && ticked.includes(flag)}
            isDisabled={!held(flag)}
            onChange={(isOn) => tick(flag, isOn)}
          />
        ))}
      </fieldset>
      <p className="small muted">{t.limits}</p>
    </Decision>
  );
}
