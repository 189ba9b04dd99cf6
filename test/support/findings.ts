import assert from 'node:assert/strict';
import type { Outcome } from './process.ts';
import type { Json } from './world.ts';

/** Runs `palaver doctor` on the data under test. */
export type Doctor = (...more: string[]) => Promise<Outcome>;

/** Asserts that the doctor finds a problem and reports it both as text and as JSON. */
export async function assertFinds(doctor: Doctor, check: string, message: RegExp): Promise<void> {
  const told = await doctor('--json');
  assert.equal(told.code, 1);
  assert.match(told.stderr, /^[^\n]+\n$/);
  assert.match(told.stderr, message);
  const report = JSON.parse(told.stdout);
  assert.equal(report.ok, false);
  const problems = report.findings.filter(({ ok }: Json) => !ok);
  assert.ok(
    problems.some((finding: Json) => finding.check === check && message.test(finding.message)),
    told.stdout,
  );
  const shown = await doctor();
  assert.equal(shown.code, 1);
  assert.match(shown.stdout, new RegExp(`^PROBLEM +${check}: `, 'm'));
  assert.match(shown.stderr, /^[^\n]+\n$/);
}

/** Asserts that the doctor finds no problem, and returns the message of each check. */
export async function messagesOf(doctor: Doctor): Promise<Record<string, string>> {
  const { code, stdout, stderr } = await doctor('--json');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const { ok, findings } = JSON.parse(stdout);
  assert.equal(ok, true);
  return Object.fromEntries(findings.map(({ check, message }: Json) => [check, message]));
}
