import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Authority, effective, readAuthority } from '../support/authority.ts';
import { type Flag, flagTable } from '../support/rules.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

let world: World;
before(async () => {
  world = await World.open();
});
after(() => world.close());

/** The server under test: clients that act, users who may be acted on, and clients outside the server. */
interface Scene {
  server: Json;
  creator: Json;
  actors: Client[];
  outsiders: Client[];
  people: Json[];
  authority: Authority;
}

/** A random step; its numbers select among the existing rows. */
interface Step {
  act: keyof typeof acts;
  actor: number;
  one: number;
  two: number;
  flags: Flag[];
  value: boolean;
}

const pick = <T>(from: readonly T[], number: number): T => from[number % from.length] as T;
const ids = (rows: readonly Json[]): string[] => rows.map(({ id }) => id);
const flagFields = ({ flags, value }: Step) => Object.fromEntries(flags.map((flag) => [flag, value]));
const roleAt = ({ authority }: Scene, number: number) => pick([...authority.roles.keys()], number);
const personAt = ({ people }: Scene, number: number): string => pick(people, number).id;

const acts = {
  'insert a role': (_scene: Scene, actor: Client, step: Step) =>
    actor.post('/roles', { name: 'Role', ...flagFields({ ...step, value: true }) }),
  'edit a role': (scene: Scene, actor: Client, step: Step) =>
    actor.patch(`/roles/${roleAt(scene, step.one)}`, flagFields(step)),
  'delete a role': (scene: Scene, actor: Client, { one }: Step) =>
    actor.delete(`/roles/${roleAt(scene, one)}`),
  'give a role': (scene: Scene, actor: Client, { one, two }: Step) =>
    actor.post('/user-roles', { userId: personAt(scene, one), roleId: roleAt(scene, two) }),
  'take a role': ({ authority }: Scene, actor: Client, { one }: Step) =>
    actor.delete(`/user-roles/${pick(ids(authority.userRoles), one)}`),
  'mint a key': (scene: Scene, actor: Client, { one, two, value }: Step) =>
    actor.post('/secrets', {
      kind: 'apiKey',
      name: 'Key',
      ...(one % 4 > 0 && { roleId: roleAt(scene, one) }),
      ...(value && { userId: two % 3 === 0 ? actor.secret.userId : personAt(scene, two) }),
    }),
  'revoke a key': ({ authority }: Scene, actor: Client, { one }: Step) =>
    actor.delete(`/secrets/${pick([...authority.keys.keys()], one)}`),
  'create an invite': (_scene: Scene, actor: Client) => actor.post('/invites', {}),
  'join with an invite': ({ authority, outsiders }: Scene, _actor: Client, { one, two }: Step) =>
    pick(outsiders, one).post('/server-members', { inviteId: pick(ids(authority.invites), two) ?? 'none' }),
  'join without an invite': ({ server, outsiders }: Scene, _actor: Client, { one }: Step) =>
    pick(outsiders, one).post('/server-members', { serverId: server.id }),
  'add a user': (scene: Scene, actor: Client, { one }: Step) =>
    actor.post('/server-members', { userId: personAt(scene, one) }),
  'leave or kick': ({ authority }: Scene, actor: Client, { one }: Step) =>
    actor.delete(`/server-members/${pick(ids(authority.memberships), one)}`),
  'open or close the server': ({ server }: Scene, actor: Client, { value }: Step) =>
    actor.patch(`/servers/${server.id}`, { private: value }),
} satisfies Record<string, (scene: Scene, actor: Client, step: Step) => Promise<Answer>>;

const flagSubset = fc.subarray([...flagTable]);
const steps = fc.array(
  fc.record({
    act: fc.constantFrom(...(Object.keys(acts) as Step['act'][])),
    actor: fc.nat({ max: 1_000 }),
    one: fc.nat({ max: 1_000 }),
    two: fc.nat({ max: 1_000 }),
    flags: flagSubset,
    value: fc.boolean(),
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

async function open(flagsOfActors: Flag[][]): Promise<Scene> {
  const creator = await world.user();
  const server = await world.server(creator);
  const elsewhere = await world.server(await world.user());
  const users = await Promise.all([world.user(), world.user(), world.user({ agent: true })]);
  const powerful = await world.user({ agent: true, platformAdmin: true });
  await world.member(server, powerful);
  const actors = [await world.client(server, ['canAdmin'], creator)];
  for (const [index, flags] of flagsOfActors.entries()) {
    actors.push(await world.client(server, flags, users[index]));
  }
  const strangers = await Promise.all([world.user(), world.user({ agent: true })]);
  const outsiders = await Promise.all(strangers.map((user) => world.client(elsewhere, ['canAdmin'], user)));
  const people = [creator, powerful, ...users, ...strangers];
  return { server, creator, actors, outsiders, people, authority: await readAuthority(world, server.id) };
}

const lacking = (gained: Iterable<Flag>, allowed: ReadonlySet<Flag>) =>
  [...gained].filter((flag) => !allowed.has(flag));

/** Compares the rows after a step with those before it. */
function check(scene: Scene, after: Authority, actor: Client, { status, data }: Answer, step: Step): void {
  const { authority: before, creator, people } = scene;
  if (status !== 200) {
    assert.deepEqual(after, before, 'a rejected write changes nothing');
    return;
  }
  const giver = effective(before.keys.get(actor.secret.id)?.flags ?? []);
  const greeting = new Set(before.roles.get(before.defaultRoleId));
  for (const [userId, flags] of after.members) {
    const had = before.members.get(userId);
    const allowed = had ? effective([...had, ...giver]) : effective([...greeting, ...giver]);
    assert.deepEqual(lacking(flags, allowed), [], `user ${userId} gained by "${step.act}"`);
  }
  for (const [keyId, { userId, flags }] of after.keys) {
    const had = before.keys.get(keyId);
    const allowed = effective([...(had?.flags ?? []), ...giver]);
    assert.deepEqual(lacking(flags, allowed), [], `key ${keyId} gained by "${step.act}"`);
    if (had) continue;
    const user = people.find(({ id }) => id === userId);
    if (userId === actor.secret.userId) continue;
    assert.equal(user?.type ?? 'agent', 'agent', 'a key acts as its creator or an agent');
    assert.ok(
      !user?.platformAdmin && userId !== creator.id,
      'a key never acts as a platform admin or the creator',
    );
    assert.equal(data.id, keyId);
  }
  const administrators = [...after.members.values()].filter((flags) => flags.has('canAdmin'));
  assert.ok(administrators.length > 0, `nobody is left to administer the server after "${step.act}"`);
}

test('after any write: nobody has granted a flag that they lack, and the server still has an admin', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(flagSubset, flagSubset, flagSubset), steps, async (flagsOfActors, steps) => {
      const scene = await open(flagsOfActors);
      for (const step of steps) {
        const actor = pick(scene.actors, step.actor);
        const answer = await acts[step.act](scene, actor, step);
        assert.ok([200, 400, 401, 403, 404, 409].includes(answer.status), JSON.stringify(answer.body));
        const after = await readAuthority(world, scene.server.id);
        check(scene, after, actor, answer, step);
        scene.authority = after;
        if (step.act === 'mint a key' && answer.status === 200) {
          scene.actors.push({ ...world.as(answer.data.key), secret: answer.data });
        }
      }
    }),
    { numRuns: 20 },
  );
});
