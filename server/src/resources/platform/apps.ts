import type { Reader } from '../../db/contract.ts';
import { q, update } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { Type } from '../../lib/schema.ts';
import { requireProven, type WriteCall } from '../../operations/call.ts';
import { body, flag, optional, reference } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { app, appEvents, toApp } from '../app/appRecord.ts';
import { load, ownTarget, touched } from '../common.ts';
import { listById } from '../lists.ts';
import { recordAct } from '../recordAct.ts';

/**
 * Loads a registry app as the target of a change. The change is serialized with writes in the app's own
 * server.
 */
async function registered({ db }: { db: Reader }, { params }: { params: { id: string } }) {
  const found = await load(db, 'app', params.id);
  if (found.submittedAt === null) throw notFound('app in the registry');
  return { serverId: found.serverId, found };
}

async function verify(
  call: WriteCall,
  found: Awaited<ReturnType<typeof registered>>['found'],
  verified: boolean,
) {
  requireProven(call);
  const set = { verified, updatedAt: touched(found, call.now) };
  await call.db.run(update('app', found.id, set));
  const changed = toApp({ ...found, ...set });
  await call.emit(appEvents.updated, changed);
  await recordAct(call, verified ? 'app verify' : 'app unverify', { id: found.id });
  return changed;
}

export const platformAppOperations = [
  read({
    operation: 'platformApps',
    people: true,
    path: '/platform/apps',
    tag: 'platform',
    summary: 'List the apps in the registry',
    description:
      'Returns the newest apps first. With `verified=false`, returns apps that await verification.',
    visible: 'platform',
    query: Type.Object({ verified: optional(flag('Only verified apps (true) or unverified ones (false)')) }),
    answer: app,
    list: 'many',
    target: ownTarget,
    async run({ db }, input) {
      let rows = q.selectFrom('app').selectAll().where('submittedAt', 'is not', null);
      if (input.query.verified === true) rows = rows.where('verified', '=', true);
      if (input.query.verified === false)
        rows = rows.where((eb) => eb.or([eb('verified', '=', false), eb('verified', 'is', null)]));
      return listById(db, rows, input, toApp, 'desc');
    },
  }),

  write({
    operation: 'platformAppVerify',
    people: true,
    method: 'POST',
    path: '/platform/apps/:id/verify',
    resource: 'platform',
    verb: 'update',
    summary: 'Verify an app in the registry',
    description: 'Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: app,
    target: registered,
    run: (call, _input, { found }) => verify(call, found, true),
  }),

  write({
    operation: 'platformAppUnverify',
    people: true,
    method: 'POST',
    path: '/platform/apps/:id/unverify',
    resource: 'platform',
    verb: 'update',
    summary: "Remove an app's verification",
    description: 'Requires a confirmed identity.',
    body: body({ id: optional(reference()) }),
    answer: app,
    target: registered,
    run: (call, _input, { found }) => verify(call, found, false),
  }),
];
