import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Site, skip } from '../support/nodes.ts';
import { PeopleAtNodes } from '../support/peopleAtNodes.ts';
import { call } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';

const NODES = 3;
const PASSWORD = 'a horse that nobody rides';

describe(`unread messages at ${NODES} nodes`, { skip }, () => {
  let site: Site;
  const people = new PeopleAtNodes(NODES, { password: PASSWORD, noticedMs: 1_000 });
  const { post } = people;
  before(async () => {
    site = await people.open();
  });
  after(() => people.close());

  test('a cached count of a hundred unread messages is corrected immediately when another node deletes some', async () => {
    const cookie = await post(0, '/sign-in', { name: 'admin', password: PASSWORD });
    const { key, channelId } = site;
    const { id: serverId } = (await call(site.at(0), 'GET', '/api/v1/users/me', { key })).body.data.server;
    const headers = { 'palaver-server': serverId as string, cookie };
    const { id: user } = jsonOf(await site.run(['user', 'create', '--username', 'writer', '--json']));
    const granted = ['--server', serverId, '--user', user, '--flags', 'canEditData'];
    const { key: writer } = jsonOf(await site.run(['key', 'create', ...granted, '--json']));
    const send = async (node: number): Promise<string> => {
      const body = { channelId, content: 'Hello' };
      return (await call(site.at(node), 'POST', '/api/v1/messages', { key: writer, body })).body.data.id;
    };
    const unreadAt = async (node: number): Promise<number> => {
      const path = `/api/people/reading?channelIds=${channelId}`;
      return (await call(site.at(node), 'GET', path, { headers })).body.data.channels[0].unread;
    };
    const sent: string[] = [];
    while (sent.length < 99) sent.push(await send(sent.length % NODES));
    for (let round = 0; round < 3; round++) {
      await send(round);
      for (let node = 0; node < NODES; node++) assert.equal(await unreadAt(node), 100, `node ${node}`);
      const gone = await call(site.at(round), 'DELETE', `/api/v1/messages/${sent[round]}`, { key });
      assert.equal(gone.status, 200, gone.text);
      for (let node = 0; node < NODES; node++) assert.equal(await unreadAt(node), 99, `node ${node}`);
    }
  });
});
