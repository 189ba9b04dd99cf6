import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Drafts } from '../../web/replica/drafts.ts';
import { keptInMemory } from '../../web/replica/kept.ts';
import { Marks } from '../../web/replica/marks.ts';
import type { Api, LiveEvent, Records } from '../../web/replica/types.ts';
import { FakeClock } from './fakeClock.ts';

type Row = Records['Draft'];
interface Request {
  input: { channelId?: string; threadId?: string; content: string; version: number };
  answer(draft: Row | null): Promise<void>;
  refuse(error: object): Promise<void>;
}

export const CHANNEL = { serverId: 'server', channelId: 'channel' };
export const draft = (id: string, version: number, content: string, threadId: string | null = null): Row =>
  ({ ...CHANNEL, id, userId: 'me', threadId, content, createdAt: 1, updatedAt: version }) as Row;
export const event = (type: 'updated' | 'deleted', data: Row) =>
  ({ type: `draft.${type}`, ...CHANNEL, data }) as unknown as LiveEvent;

/** Drafts whose requests the test answers. */
export function draftsStage() {
  const [kept, marks, clock] = [keptInMemory(), new Marks(), new FakeClock(1_000)];
  const requests: Request[] = [];
  const [changes, doubts, puts]: [string[], string[], string[]] = [[], [], []];
  const ask = (input: Request['input']) =>
    new Promise((resolve, reject) => {
      const answer = (row: Row | null) => Promise.resolve(resolve({ draft: row })).then(() => turn());
      const refuse = (error: object) =>
        Promise.resolve(reject(Object.assign(new Error('refused'), error))).then(() => turn());
      requests.push({ input, answer, refuse });
    });
  const drafts = new Drafts({
    api: (() => ({ draftSave: ask })) as unknown as Api,
    kept: {
      ...kept,
      put: (store, key, row) => {
        puts.push((row as { content: string }).content);
        return kept.put(store, key, row);
      },
    },
    around: clock,
    marks,
    changed: (key) => void changes.push(key),
    doubt: (serverId) => void doubts.push(serverId),
  });
  const shown = (id = 'channel') => {
    const { content, draftId, version, isSaved } = drafts.get(id);
    return { content, draftId, version, isSaved };
  };
  const last = () => requests.at(-1) ?? assert.fail('no request');
  /** Types a text and starts to save it. */
  const typed = (content: string) => {
    drafts.save(CHANNEL, content);
    drafts.flush();
    return last();
  };
  return { drafts, kept, marks, clock, requests, changes, doubts, puts, shown, last, typed };
}
