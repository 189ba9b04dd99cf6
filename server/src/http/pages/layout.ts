import { type Html, html } from './html.ts';

/** An entry of the navigation. */
export interface Entry {
  title: string;
  address: string;
}

/** A section of the navigation, with guides, operations, or URLs for programs. */
export interface Part {
  title: string;
  entries: readonly Entry[];
}

/** The parts that differ between pages. */
export interface Page {
  /** The title of the page in the browser tab. */
  title: string;
  address: string;
  main: Html;
  /** The headings to list next to the page; none if omitted. */
  headings?: readonly Entry[];
  /** Whether the page has forms that send requests, and therefore the API key field. */
  console?: boolean;
}

/**
 * Renders the complete HTML document of a page. `assets` is the folder with styles and scripts, and `parts`
 * is the navigation.
 */
export const layout = (page: Page, parts: readonly Part[], assets: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title === 'Palaver' ? 'Palaver' : `${page.title} · Palaver`}</title>
<meta name="description" content="${page.title === 'Palaver' ? 'Guides and API reference' : page.title}: documentation of Palaver, a self-hosted chat platform.">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script src="${assets}/look.js"></script>
<link rel="stylesheet" href="${assets}/page.css">
<link rel="stylesheet" href="${assets}/text.css">
<link rel="stylesheet" href="${assets}/reference.css">
<script type="module" src="${assets}/page.js"></script>
${page.console && html`<script type="module" src="${assets}/console.js"></script>`}
${page.address === '/docs/start' && html`<script type="module" src="${assets}/start.js"></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<a class="home" href="/docs/start"><img src="/favicon.svg" alt="" width="26" height="26">Palaver</a>
<search class="search"><input type="search" placeholder="Search the docs" aria-label="Search guides and reference" autocomplete="off" spellcheck="false"><ol class="found" hidden></ol></search>
<button type="button" class="menu plain" aria-expanded="false" aria-controls="navigation">Menu</button>
</header>
<nav id="navigation" aria-label="Documentation">${parts.map(({ title, entries }) => part(title, entries, page.address))}</nav>
<main id="main" tabindex="-1">${page.console && keyField}${page.main}</main>
${
  page.headings &&
  page.headings.length > 1 &&
  html`<aside aria-label="On this page"><p>On this page</p><ul>${page.headings.map(
    ({ title, address }) => html`<li><a href="${address}">${title}</a></li>`,
  )}</ul></aside>`
}
</body>
</html>
`;

const part = (title: string, entries: readonly Entry[], here: string): Html =>
  html`<p>${title}</p><ul>${entries.map(
    (entry) =>
      html`<li><a href="${entry.address}"${entry.address === here && html` aria-current="page"`}>${entry.title}</a></li>`,
  )}</ul>`;

/**
 * The field for the API key used by the forms on the page. The script stores the key for this tab
 * (`assets/key.js`).
 */
const keyField = html`<form class="key" autocomplete="off">
<label><span>API key</span><input type="password" name="key" placeholder="sk_live_…" autocomplete="off" spellcheck="false" data-1p-ignore data-lpignore="true"></label>
<button type="submit">Use</button> <button type="button" class="plain" data-does="forget" hidden>Remove</button>
<p class="who" role="status">Used to send requests from this page. The key is stored only in this tab, and deleted when you close it.</p>
</form>`;
