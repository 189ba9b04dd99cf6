import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';

/** The parts of a rendered message that tests look at. */
export interface Rendered {
  names: string[];
  links: string[];
  /**
   * The text, including the numbers of list items, but without whitespace, buttons and the hosts next to
   * links.
   */
  text: string;
}

const root = join(import.meta.dirname, '../..');

/** Loads the client's message renderer into a page. Returns a function that renders messages. */
export async function openRenderer(
  page: Page,
): Promise<(contents: readonly string[]) => Promise<Rendered[]>> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/support/gallery/messages.tsx')],
    absWorkingDir: root,
    bundle: true,
    write: false,
    outdir: '/',
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    alias: {
      '@palaver/client': join(root, 'client/src/index.ts'),
      'react/jsx-runtime': 'preact/jsx-runtime',
      'preact/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
    define: { LANGUAGES: '[]' },
  });
  const script = outputFiles.find(({ path }) => path.endsWith('.js'))?.text ?? '';
  await page.route('http://renderer.test/', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><html lang="en"><body></body></html>' }),
  );
  await page.goto('http://renderer.test/');
  await page.evaluate(script);
  return (contents) =>
    page.evaluate(
      (all) => all.map((one) => (globalThis as never as { shown: (content: string) => Rendered }).shown(one)),
      contents,
    );
}
