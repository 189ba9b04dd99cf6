// @run sqlite: tests over HTTP, which does not depend on the engine
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { blocksOf, filledIn } from '../support/guides.ts';
import { call, Stage } from '../support/process.ts';
import { programOf } from '../support/programs.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const stage = new Stage();
after(() => stage.close());

const skip = programOf('curl') ? false : 'no curl here';

test('every line of the quick start works, one after another', { skip }, async () => {
  const server = await stage.start(stage.folder());
  const { url, key, channelId } = server;
  const { body: channel } = await call(server, 'GET', '/api/v1/users/me', { key });
  const [start = '', ...blocks] = blocksOf('quick-start.md').map(({ code }) => code);
  assert.match(start, /^npx palaver start$/m);
  const lines = filledIn(blocks.join('\n'), {
    'http://127.0.0.1:8080': url,
    'the key that the first start printed': key,
    'the id of the server': channel.data.server.id,
    'the id of the channel': channelId,
    // A stream never ends on its own.
    'curl -N': 'curl -N --max-time 1',
  });
  const told = execFileSync('sh', ['-c', lines], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const answers = told.replace(/^[\s\S]*?(?=\{"ok")/, '').split(/(?=\{"ok":|: events follow)/);
  const oks = answers.filter((answer) => answer.startsWith('{"ok":')).map((answer) => JSON.parse(answer));
  assert.equal(oks.length, (lines.match(/^curl (?!-N)/gm) ?? []).length);
  assert.ok(oks.every(({ ok }) => ok === true));
  assert.ok(answers.some((answer) => answer.startsWith(': events follow')));
  const names = oks.map(({ data }) => data.name ?? data.content ?? data.length);
  assert.deepEqual(names, ['Admin', 1, 0, 'ideas', '**Hello**, from a terminal', 'Weather bot']);
});

/** The anchors of a page: its headings, as GitHub generates them. */
const anchorsOf = (page: string): Set<string> =>
  new Set(
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  );

test('every link between the pages leads to an existing page and heading', () => {
  const pages = globSync('**/*.md', { cwd: docs }).map((file) => join(docs, file));
  const lost: string[] = [];
  for (const page of pages) {
    const words = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```|`[^`\n]*`/gm, '');
    for (const [, link = ''] of words.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|\/)/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(file)) lost.push(`${page}: ${link}`);
      else if (anchor !== undefined && file.endsWith('.md')) {
        if (!anchorsOf(readFileSync(file, 'utf8')).has(anchor)) lost.push(`${page}: ${link}`);
      }
    }
  }
  assert.ok(pages.length > 50);
  assert.deepEqual(lost, []);
});
