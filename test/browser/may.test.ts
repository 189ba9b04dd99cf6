import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Facts, Operation, Permission, Standing, Target } from '../../client/src/index.ts';
import type { Facts as ServerFacts } from '../../server/src/access/may.ts';
import { operations } from '../../server/src/resources/index.ts';
import { type WriteRow, writes } from '../rows/index.ts';
import { Surfer, skip } from '../support/browser.ts';
import { flagSets } from '../support/cast.ts';
import {
  type Caller,
  type ChannelKind,
  flagTable,
  identities,
  isAllowed,
  neededFlags,
} from '../support/rules.ts';

// Compares the client's permission checks, run in a browser, with the rows that `spec/permissions` checks on
// the server.

/** The client must not ask for facts that the server does not know. */
type Fits<T extends U, U> = T;
export type FactsFit = Fits<Facts, ServerFacts>;

const HOME = 'home';
const ROLE = 'role';

interface Case {
  name: string;
  standing: Standing;
  operation: Operation;
  target: Target;
  /** The server's decision, according to `spec/permissions`. */
  allowed: boolean;
  need: string[];
}

/** Maps the operation of each write to its resource and verb. */
const verbs = new Map(
  operations.flatMap(({ operation, does, row }): [string, Operation][] =>
    does === 'write' || does === 'act' ? [[operation, `${row.resource} ${row.verb}` as Operation]] : [],
  ),
);

function standingOf({ identity, flags }: Caller): Standing {
  const [who = '', elsewhere] = identity.split(' ');
  return {
    userId: who,
    userType: who === 'agent' ? 'agent' : 'person',
    platformAdmin: false,
    serverId: elsewhere ? 'elsewhere' : HOME,
    isServerCreator: who === 'creator' && !elsewhere,
    roleIds: elsewhere ? [] : [ROLE],
    ownFlags: flags,
    flags: flags.includes('canAdmin') ? flagTable : flags,
  };
}

function casesOf(row: WriteRow): Case[] {
  const callers = identities.flatMap((identity) => flagSets.map((flags): Caller => ({ identity, flags })));
  const kinds: readonly (ChannelKind | undefined)[] = row.channels ?? [undefined];
  // Agents are excluded by a condition, which `may` leaves to the server.
  const { people: _people, ...rule } = row.rule;
  return kinds.flatMap((kind) =>
    callers.map((caller): Case => {
      const standing = standingOf(caller);
      const channel = {
        private: kind === 'private' || kind === 'let in',
        readonly: kind === 'readonly',
        roleIds: kind === 'let in' ? [ROLE] : [],
      };
      const allowed = isAllowed(rule, caller, kind);
      return {
        name: `${row.name}, ${caller.identity} with ${caller.flags[0] ?? 'no flag'}, ${kind ?? 'no channel'}`,
        standing,
        operation: verbs.get(row.name) as Operation,
        target: {
          serverId: rule.inOwnServer ? standing.serverId : HOME,
          ownerId: rule.anyone ? standing.userId : 'owner',
          ...(kind && { channel }),
        },
        allowed,
        need: allowed ? [] : neededFlags(rule, caller, kind).sort(),
      };
    }),
  );
}

describe('may, in a browser', { skip }, () => {
  let surfer: Surfer;
  let script: string;
  let ask: (cases: readonly Partial<Case & { facts: Facts }>[]) => Promise<Permission[]>;
  before(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: "export { may } from './index.ts';",
        resolveDir: join(import.meta.dirname, '../../client/src'),
      },
      bundle: true,
      minify: true,
      format: 'iife',
      globalName: 'palaver',
      write: false,
    });
    script = outputFiles[0]?.text as string;
    surfer = await Surfer.open();
    const page = await surfer.page();
    await page.addScriptTag({ content: script });
    ask = (cases) =>
      page.evaluate(`((cases) => cases.map(({ standing, operation, target, facts }) =>
        palaver.may(standing, operation, target, facts)))(${JSON.stringify(cases)})`);
  });
  after(() => surfer?.close());

  test('may agrees with the server for every write, flag, identity and kind of channel', async () => {
    const cases = writes.flatMap(casesOf);
    assert.ok(cases.length > 5_000, String(cases.length));
    const said = await ask(cases);
    const wrong = cases.flatMap(({ name, operation, allowed, need }, index) => {
      const { rule, message, ...one } = said[index] as Permission;
      assert.ok(rule.startsWith(`${operation.split(' ')[0]}: `), rule);
      assert.equal(message === '', one.allowed);
      const got = { allowed: one.allowed, need: [...one.need].sort() };
      return JSON.stringify(got) === JSON.stringify({ allowed, need }) ? [] : [{ name, got, allowed, need }];
    });
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} of ${cases.length}`);
    assert.deepEqual(surfer.complaints, []);
  });

  test('may checks the conditions whose facts it is given', async () => {
    const standing = standingOf({ identity: 'stranger', flags: ['canEditData'] });
    const operation = 'message insert';
    const [open, locked, unasked] = await ask([
      { standing, operation, facts: { lockedThread: { isLocked: false } } },
      { standing, operation, facts: { lockedThread: { isLocked: true } } },
      { standing, operation },
    ]);
    assert.deepEqual([open?.allowed, unasked?.allowed], [true, true]);
    assert.equal(locked?.message, 'this thread is locked');
    assert.match(locked?.rule ?? '', /^message: .*; in a locked thread: server admin or moderator$/);
    assert.deepEqual(locked?.need, ['canModerate']);
  });

  test('the rules add little to the size of a page', () => {
    assert.ok(gzipSync(script).length < 6_400, `${gzipSync(script).length} bytes`);
  });
});
