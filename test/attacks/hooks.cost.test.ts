// @run sqlite: tests the conversion of bodies, which reads no data
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receivedOf } from '../../server/src/http/hooks/bodies.ts';
import { cpuMs } from '../../server/src/lib/cpu.ts';
import { cut } from '../../server/src/payloads/commonmark.ts';
import { contentOf } from '../../server/src/payloads/formats.ts';
import { assertQuick, MAX_BLOCK_MS } from '../support/cost.ts';
import type { Json } from '../support/world.ts';

// Incoming webhook bodies that are as expensive to convert as possible. The conversion runs on the event loop.

/** The length of the text in the largest body. */
const LENGTH = 1_000_000;

const fill = (sign: string): string => sign.repeat(Math.ceil(LENGTH / sign.length)).slice(0, LENGTH);

/** The text, split into this many pieces of equal length. */
const piecesOf = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    text.slice((index * LENGTH) / count, ((index + 1) * LENGTH) / count),
  );

const signs = [
  '&',
  '*a ',
  '`',
  '_',
  '~a',
  '[x](',
  '> ',
  '\n',
  '=\n',
  '-\n',
  '```',
  '<http://a|b>',
  '<t:1>',
  '\\',
  '&amp;',
  '@a ',
];

const shapes: Record<string, (text: string) => Json> = {
  'a text for Slack': (text) => ({ text }),
  'a block for Slack': (text) => ({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] }),
  'many attachments for Slack': (text) => ({
    attachments: Array.from({ length: 50 }, (_, index) => ({
      text: text.slice((index * LENGTH) / 50, ((index + 1) * LENGTH) / 50),
    })),
  }),
  'rich text for Slack': (text) => ({
    blocks: [
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] },
    ],
  }),
  'content for Discord': (text) => ({ content: text }),
  'an embed for Discord': (text) => ({
    embeds: [{ title: text.slice(0, LENGTH / 2), description: text.slice(0, LENGTH / 2) }],
  }),
  'fields of attachments for Slack': (text) => ({
    attachments: [
      { fields: piecesOf(text, 400).map((title) => ({ title })), title: text.slice(0, LENGTH / 2) },
    ],
  }),
  'alerts of Alertmanager': (text) => ({
    status: 'firing',
    alerts: piecesOf(text, 10).map((summary) => ({
      annotations: { summary },
      generatorURL: `http:${summary}`,
    })),
  }),
  'labels of Alertmanager': (text) => {
    const labels = Object.fromEntries(piecesOf(text, 10_000).map((value, index) => [`l${index}`, value]));
    return { status: 'firing', groupLabels: labels, commonLabels: labels, alerts: [{ labels }] };
  },
  'a message of Grafana': (text) => ({ status: 'firing', orgId: 1, alerts: [], title: text, message: text }),
  'a push to GitHub': (text) => ({
    ref: text.slice(0, LENGTH / 10),
    repository: { full_name: text.slice(0, LENGTH / 10) },
    sender: { login: text.slice(0, LENGTH / 10) },
    commits: piecesOf(text, 20).map((message, index) => ({
      id: `${index}`,
      message,
      url: `http:${message}`,
    })),
  }),
  'an issue of GitLab': (text) => ({
    object_kind: 'issue',
    user: { name: text.slice(0, LENGTH / 2) },
    object_attributes: { action: 'open', title: text.slice(0, LENGTH / 2), description: text },
  }),
  'a title': (text) => ({ title: text }),
  'a message': (text) => ({ message: text }),
};

for (const [what, make] of Object.entries(shapes))
  test(`${what} of ${LENGTH} characters is converted in a few milliseconds`, async (t) => {
    let longest = 0;
    for (const sign of signs) {
      const payload = make(fill(sign));
      const convert = () => {
        try {
          contentOf(payload, {}, undefined);
        } catch {
          // A body without content is rejected.
        }
      };
      longest = Math.max(longest, await assertQuick(JSON.stringify(sign), convert));
    }
    t.diagnostic(`${longest.toFixed(1)} ms`);
  });

test('text far beyond the length of a message is not converted, and the displayed text stays the same', () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `*word ${index}* &amp; `).join('');
  const shown = (text: string) => cut(contentOf({ text }, {}, undefined), 8_000);
  assert.equal(shown(words + fill('&')), shown(words));
  assert.match(shown(words), /^\*\*word 0\*\* & \*\*word 1\*\*/);
  // A character of two UTF-16 code units is not cut in half.
  assert.ok(contentOf({ text: `${'a'.repeat(23_999)}😀` }, {}, undefined).isWellFormed());
  // Each payload has its own budget.
  for (let round = 0; round < 5; round++) assert.equal(contentOf({ text: 'Hello' }, {}, undefined), 'Hello');
});

test('a URL-encoded form with thousands of fields is rejected before it is parsed', async () => {
  const type = 'application/x-www-form-urlencoded';
  await receivedOf({ 'content-type': type }, Buffer.from(`text=a${'&b=c'.repeat(999)}`));
  const from = cpuMs();
  await assert.rejects(
    receivedOf({ 'content-type': type }, Buffer.from(`text=a${'&b'.repeat(500_000)}`)),
    /at most 1000 fields/,
  );
  assert.ok(cpuMs() - from <= MAX_BLOCK_MS);
});

test('a multipart form with thousands of parts is rejected before it is parsed', async () => {
  const part = '--edge\r\nContent-Disposition: form-data; name="text"; filename="a"\r\n\r\nx\r\n';
  const type = 'multipart/form-data; boundary=edge';
  const form = (parts: number) => Buffer.from(`${part.repeat(parts)}--edge--\r\n`);
  await receivedOf({ 'content-type': type }, form(100)).catch((error) =>
    assert.match(error.message, /at most 10 files/),
  );
  await assert.rejects(receivedOf({ 'content-type': type }, form(101)), /at most 100 parts/);
  const from = cpuMs();
  await assert.rejects(receivedOf({ 'content-type': type }, form(3_000)), /at most 100 parts/);
  assert.ok(cpuMs() - from <= MAX_BLOCK_MS);
});
