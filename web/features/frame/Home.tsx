import { useEffect } from 'react';
import { siteAddress } from '../../api/base.ts';
import { useConnection, useServers } from '../../replica/hooks.ts';
import { navigate, routeOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Button, Form, Icon, isNarrow, TextField, type Values, WithName } from '../../ui/index.ts';
import { createServer } from '../server/index.tsx';
import type { Myself } from '../session/index.ts';
import { lastChannel, lastServer } from './lastPlace.ts';
import { ServerToCome } from './ServerToCome.tsx';
import './Home.css';

/** The start page. Redirects to the last open server, or helps the user to create or join their first one. */
export function Home({ me }: { me: Myself }) {
  const servers = useServers();
  const { isListed } = useConnection();
  const last = lastServer();
  const next = servers.find(({ id }) => id === last) ?? servers[0];
  useEffect(() => {
    if (!next) return;
    const channelId = isNarrow() ? undefined : lastChannel(next.id);
    navigate({ page: 'server', serverId: next.id, channelId }, { replace: true });
  }, [next]);
  if (next || !isListed) return <ServerToCome name={next?.name} isInChannel />;
  return <FirstServer name={me.name} />;
}

function FirstServer({ name }: { name: string }) {
  const open = (values: Values) => {
    const text = values.text('invite').trim();
    const route = URL.canParse(text) ? routeOf(text) : { page: 'invite' as const, inviteId: text };
    if (route.page !== 'invite') throw new Error(t.notAnInvite);
    navigate(route);
  };
  return (
    <main className="home" id="main" tabIndex={-1}>
      <header>
        <h1>
          <WithName words={t.welcome} values={{ name }} />
        </h1>
        <p>{t.firstServer}</p>
      </header>
      <section className="home-way">
        <Icon name="plus" size={20} />
        <h2>{t.makeOne}</h2>
        <p>{t.makeOneMore}</p>
        <Button kind="main" onClick={createServer}>
          {common.createServer}
        </Button>
      </section>
      <section className="home-way">
        <Icon name="ticket" size={20} />
        <h2>{t.joinOne}</h2>
        <p>{t.joinOneMore}</p>
        <Form onSubmit={open} submit={false}>
          <TextField
            label={t.invitePrompt}
            isLabelHidden
            placeholder={t.inviteExample({ origin: siteAddress() })}
            name="invite"
            autoComplete="off"
            required
          />
          <Button type="submit">{t.openInvite}</Button>
        </Form>
      </section>
    </main>
  );
}
