import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';

const root = join(import.meta.dirname, '../../..');
const ADDRESS = 'http://gallery.test/';

const HTML = `<!doctype html>
<html lang="en">
<title>Gallery</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/gallery.css">
<div id="app"></div>
<script type="module" src="/gallery.js"></script>
</html>`;

/** A content security policy at least as strict as that of the product's pages, except for inlined fonts. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; require-trusted-types-for 'script'; trusted-types 'none'";

/** Bundles index.tsx for Preact, as the product is bundled. Returns a function that opens it in a page. */
export async function buildGallery(): Promise<(page: Page) => Promise<void>> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'test/support/gallery/index.tsx')],
    bundle: true,
    write: false,
    outdir: '/',
    format: 'esm',
    target: 'es2022',
    loader: { '.woff2': 'dataurl' },
    jsx: 'automatic',
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  });
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const [script, style] = [textOf('.js'), textOf('.css')];
  return async (page) => {
    const headers = { 'content-security-policy': POLICY };
    await page.route(`${ADDRESS}**`, (route) => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/gallery.js') return route.fulfill({ contentType: 'text/javascript', body: script });
      if (path === '/gallery.css') return route.fulfill({ contentType: 'text/css', body: style });
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: HTML, headers });
      return route.fulfill({ status: 204 });
    });
    await page.goto(ADDRESS);
    await page.getByRole('heading', { name: 'Palaver' }).waitFor();
  };
}
