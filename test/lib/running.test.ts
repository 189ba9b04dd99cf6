// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Running } from '../../server/src/limits/running.ts';

const begun = (running: Running<'uploads'>, userId: string, tenant: string) => () =>
  running.begin(userId, tenant);

test('a tenant with a quarter of the slots gets no more once three quarters are taken, but others do', () => {
  const running = new Running('uploads', { uploads: 8, uploadsPerUser: 2 });
  const ends = ['a', 'b', 'c', 'd', 'e', 'f'].map((user) => running.begin(user, 'large'));
  assert.throws(begun(running, 'g', 'large'), {
    code: 'RATE_LIMITED',
    message: /^uploads: you have used up your share of the 8 uploads/,
  });
  running.begin('h', 'small');
  running.begin('i', 'other');
  assert.throws(begun(running, 'j', 'new'), { code: 'RATE_LIMITED', message: /^uploads: 8 uploads are/ });
  for (const end of ends.slice(0, 3)) end();
  assert.equal(running.amount, 5);
  running.begin('g', 'large');
  assert.equal(running.amount, 6);
});

test('a user may run as many tasks as their limit allows, and another one once a task has ended', () => {
  const running = new Running('uploads', { uploads: 8, uploadsPerUser: 2 });
  const [end] = [running.begin('a', 't'), running.begin('a', 't')];
  assert.throws(begun(running, 'a', 't'), {
    code: 'RATE_LIMITED',
    message: /^uploadsPerUser: 2 uploads of this user/,
  });
  running.begin('b', 't');
  end();
  running.begin('a', 't');
  assert.throws(begun(running, 'a', 't'), { code: 'RATE_LIMITED' });
});
