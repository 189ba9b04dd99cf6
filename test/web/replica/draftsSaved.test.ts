import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNEL, draft, draftsStage, event } from '../../support/draftsStage.ts';

test('a draft is saved a second after the last key, and at most five seconds after the first', async () => {
  const { drafts, clock, requests } = draftsStage();
  drafts.save(CHANNEL, 'a');
  await clock.pass(999);
  drafts.save(CHANNEL, 'ab');
  await clock.pass(999);
  assert.equal(requests.length, 0);
  await clock.pass(1);
  assert.deepEqual(requests.splice(0)[0]?.input, { channelId: 'channel', content: 'ab', version: 0 });

  const other = { serverId: 'server', channelId: 'other' };
  for (let key = 0; key < 10; key++) {
    drafts.save(other, `${key}`);
    await clock.pass(499);
  }
  assert.equal(requests.length, 0, 'after 4,990 ms');
  drafts.save(other, 'last');
  await clock.pass(10);
  assert.deepEqual(requests[0]?.input, { channelId: 'other', content: 'last', version: 0 });
});

test("a thread's draft is saved by the thread alone", async () => {
  const { drafts, clock, last, shown } = draftsStage();
  drafts.save({ ...CHANNEL, threadId: 'thread' }, 'reply');
  await clock.pass(1_000);
  assert.deepEqual(last().input, { threadId: 'thread', content: 'reply', version: 0 });
  await last().answer(draft('1', 5, 'reply', 'thread'));
  assert.deepEqual(shown('thread'), { content: 'reply', draftId: '1', version: 5, isSaved: true });
  assert.equal(shown().content, '');
});

test('a text of 8,000 code units is saved, and a longer one if it has at most 8,000 code points', () => {
  const { typed, requests } = draftsStage();
  typed('x'.repeat(8_000));
  assert.equal(requests.length, 1);
});

test('a late event about an earlier save does not bring its text back', async () => {
  const { drafts, typed, shown } = draftsStage();
  const first = typed('a');
  await first.answer(draft('1', 5, 'a'));
  const second = typed('ab');
  assert.equal(second.input.version, 5);
  drafts.apply(event('updated', draft('1', 5, 'a')));
  await second.answer(draft('1', 6, 'ab'));
  assert.deepEqual(shown(), { content: 'ab', draftId: '1', version: 6, isSaved: true });
});

test('a later text from another device, announced during a save, replaces the saved one', async () => {
  const { drafts, typed, shown } = draftsStage();
  const request = typed('a');
  drafts.apply(event('updated', draft('1', 9, 'theirs')));
  assert.equal(shown().content, 'a', 'not before the save has ended');
  await request.answer(draft('1', 8, 'a'));
  assert.deepEqual(shown(), { content: 'theirs', draftId: '1', version: 9, isSaved: true });
});

test('a draft that another device deletes during a save is gone, and one that is started again is not', async () => {
  for (const [gone, content] of [
    [draft('1', 8, 'a'), ''],
    [draft('1', 9, 'theirs'), ''],
    [draft('0', 7, 'earlier'), 'a'],
    [draft('1', 7, 'earlier'), 'a'],
  ] as const) {
    const { drafts, typed, shown } = draftsStage();
    const request = typed('a');
    drafts.apply(event('deleted', gone));
    await request.answer(draft('1', 8, 'a'));
    assert.equal(shown().content, content, JSON.stringify(gone));
  }
});

test('an emptied draft is gone, even if an event announces that during the save', async () => {
  for (const isTold of [false, true]) {
    const { drafts, typed, shown, changes } = draftsStage();
    await typed('a').answer(draft('1', 5, 'a'));
    const request = typed('');
    if (isTold) drafts.apply(event('deleted', draft('1', 5, 'a')));
    changes.length = 0;
    await request.answer(null);
    assert.deepEqual(shown(), { content: '', draftId: '', version: 0, isSaved: true });
    assert.deepEqual(changes, ['draft:channel']);
  }
});

test('the text typed during a save stays, and is saved in place of the version that the server returned', async () => {
  const { drafts, clock, typed, shown, last } = draftsStage();
  const request = typed('a');
  drafts.save(CHANNEL, 'ab');
  await request.answer(draft('1', 5, 'a'));
  assert.deepEqual(shown(), { content: 'ab', draftId: '1', version: 5, isSaved: false });
  await clock.pass(1_000);
  assert.deepEqual(last().input, { channelId: 'channel', content: 'ab', version: 5 });
});

test('if another device changed the draft, the text that is being typed is saved in place of that version', async () => {
  const { clock, typed, shown, last, requests } = draftsStage();
  await typed('mine').refuse({
    ...{ status: 409, code: 'ALREADY_EXISTS' },
    details: { draft: draft('7', 70, 'theirs') },
  });
  assert.deepEqual(shown(), { content: 'mine', draftId: '7', version: 70, isSaved: false });
  await clock.pass(1_000);
  assert.deepEqual(last().input, { channelId: 'channel', content: 'mine', version: 70 });
  await last().refuse({ status: 409, code: 'ALREADY_EXISTS', details: { draft: null } });
  assert.deepEqual(shown(), { content: 'mine', draftId: '', version: 0, isSaved: false });
  await clock.pass(1_000);
  assert.equal(last().input.version, 0);
  // Without the other version, this is a final refusal like any other.
  await last().refuse({ status: 409, code: 'ALREADY_EXISTS' });
  await clock.pass(60_000);
  assert.equal(requests.length, 3);
});

test('only a conflict carries the version of another device', async () => {
  const { typed, shown } = draftsStage();
  await typed('mine').refuse({
    status: 400,
    code: 'INVALID_REQUEST',
    details: { draft: draft('7', 70, '') },
  });
  assert.deepEqual(shown(), { content: 'mine', draftId: '', version: 0, isSaved: false });
});

test('a draft whose channel is no longer visible is removed by the next snapshot', async () => {
  const { drafts, kept, clock, marks, typed, shown, requests } = draftsStage();
  await typed('a').answer(draft('1', 5, 'a'));
  await typed('ab').refuse({ status: 404 });
  assert.deepEqual(shown(), { content: 'ab', draftId: '1', version: 5, isSaved: true });
  drafts.snapshot(marks.begin(), 'server', []);
  assert.deepEqual([shown().content, await kept.all('draft')], ['', []]);
  await clock.pass(60_000);
  assert.equal(requests.length, 2);
});

test('a snapshot is read again only if a saved draft differs from one that changed in the meantime', () => {
  const cases: [found: ReturnType<typeof draft>[], isDoubtful: boolean][] = [
    [[draft('1', 5, 'a')], false],
    [[draft('1', 6, 'b')], true],
    [[draft('2', 5, 'b')], true],
    [[], true],
  ];
  for (const [found, isDoubtful] of cases) {
    const { drafts, marks, doubts, shown } = draftsStage();
    const begun = marks.begin();
    drafts.apply(event('updated', draft('1', 5, 'a')));
    drafts.snapshot(begun, 'server', found);
    assert.deepEqual([doubts, shown().content], [isDoubtful ? ['server'] : [], 'a'], JSON.stringify(found));
  }
  const { drafts, marks, doubts } = draftsStage();
  const begun = marks.begin();
  drafts.save(CHANNEL, 'typing');
  drafts.snapshot(begun, 'server', [draft('1', 6, 'b')]);
  assert.deepEqual(doubts, [], 'an unsaved text wins anyway');
});

test('the snapshot of another server leaves drafts alone', () => {
  const { drafts, marks, shown } = draftsStage();
  drafts.apply(event('updated', draft('1', 5, 'a')));
  drafts.snapshot(marks.begin(), 'other', []);
  assert.equal(shown().content, 'a');
  drafts.snapshot(marks.begin(), 'server', []);
  assert.equal(shown().content, '');
});

test('an older version changes nothing', () => {
  const { drafts, changes, shown } = draftsStage();
  drafts.apply(event('updated', draft('2', 5, 'a')));
  changes.length = 0;
  for (const older of [draft('2', 5, 'same'), draft('2', 4, 'older'), draft('1', 9, 'earlier')]) {
    drafts.apply(event('updated', older));
    if (older.content !== 'same') drafts.apply(event('deleted', older));
  }
  assert.deepEqual([changes, shown().content], [[], 'a']);
});

test('text that is being typed stays when another device deletes the draft, and starts a new one', async () => {
  const { drafts, clock, typed, shown, last } = draftsStage();
  await typed('a').answer(draft('1', 5, 'a'));
  drafts.save(CHANNEL, 'ab');
  drafts.apply(event('deleted', draft('1', 5, 'a')));
  assert.deepEqual(shown(), { content: 'ab', draftId: '', version: 0, isSaved: false });
  await clock.pass(1_000);
  assert.equal(last().input.version, 0);
});

test('drafts of an earlier visit are shown and, if unsaved, sent', async () => {
  const { drafts, kept, requests, shown } = draftsStage();
  const row = { ...CHANNEL, id: 'channel', content: 'unsaved', isSaved: false };
  await kept.put('draft', 'channel', row);
  await kept.put('draft', 'other', { ...row, channelId: 'other', id: 'other', isSaved: true });
  await kept.put('draft', 'typed', { ...row, channelId: 'typed', id: 'typed' });
  drafts.save({ ...CHANNEL, channelId: 'typed' }, 'typed since');
  await drafts.load();
  assert.deepEqual(shown(), { content: 'unsaved', draftId: '', version: 0, isSaved: false });
  assert.equal(shown('typed').content, 'typed since');
  assert.deepEqual(requests.map(({ input }) => input.content).sort(), ['typed since', 'unsaved']);
});

test('a draft is stored in the browser half a second after the last key, and at most two seconds after the first', async () => {
  const { drafts, clock, puts } = draftsStage();
  drafts.save(CHANNEL, 'a');
  await clock.pass(499);
  assert.deepEqual(puts, []);
  await clock.pass(1);
  assert.deepEqual(puts.splice(0), ['a']);
  for (let key = 0; key < 5; key++) {
    drafts.save(CHANNEL, `a${key}`);
    await clock.pass(399);
  }
  assert.deepEqual(puts, [], 'after 1,995 ms');
  drafts.save(CHANNEL, 'last');
  await clock.pass(5);
  assert.deepEqual(puts.splice(0), ['last']);
});

test('leaving the page stores changes once and cancels what is pending', async () => {
  const { drafts, clock, puts, requests } = draftsStage();
  drafts.save(CHANNEL, 'a');
  drafts.keep();
  drafts.keep();
  assert.deepEqual(puts.splice(0), ['a']);
  assert.deepEqual(clock.delays, [1_000], 'only the save on the server is pending');
  drafts.save(CHANNEL, 'ab');
  drafts.stop();
  assert.deepEqual([puts.splice(0), clock.delays], [['ab'], []]);
  await clock.pass(60_000);
  assert.deepEqual([puts, requests.length], [[], 0]);
});

test('a deleted draft is removed from the browser, too, and a response that was on its way does not restore it', async () => {
  const { drafts, kept, marks, changes, shown } = draftsStage();
  drafts.apply(event('updated', draft('1', 5, 'a')));
  drafts.keep();
  assert.equal((await kept.all('draft')).length, 1);
  const begun = marks.begin();
  changes.length = 0;
  drafts.snapshot(marks.begin(), 'server', []);
  assert.deepEqual([changes, await kept.all('draft')], [['draft:channel'], []]);
  drafts.keep();
  assert.deepEqual(await kept.all('draft'), []);
  drafts.snapshot(begun, 'server', [draft('1', 5, 'a')]);
  assert.equal(shown().content, '');
});
