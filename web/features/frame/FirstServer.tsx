import { siteAddress } from '../../api/base.ts';
import { navigate, routeOf } from '../../routes.ts';
import { common } from '../../strings/en/common.ts';
import { frame as t } from '../../strings/en/frame.ts';
import { Button, Form, Icon, TextField, type Values, WithName } from '../../ui/index.ts';
import { createServer } from '../server/index.tsx';
import './Home.css';

/** The home page of a user without servers. It lets them create or join one. */
export default function FirstServer({ name }: { name: string }) {
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
