import { html } from './html.ts';
import type { Page } from './layout.ts';
import { codeFrame, EXAMPLE_ORIGIN } from './operation.ts';

/**
 * Two requests. The page replaces the address with its own. The key stays a variable, because no page may
 * show a key.
 */
const whoAmI = `curl ${EXAMPLE_ORIGIN}/api/v1/users/me \\
  -H "Authorization: Bearer $KEY"`;
const send = `curl ${EXAMPLE_ORIGIN}/api/v1/messages \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"channelId\\": \\"$CHANNEL\\", \\"content\\": \\"Hello, world\\"}"`;

/** The start page: the responding server, its health, a first request, and links. */
export const startPage = (version: string, has: (guide: string) => boolean): Page => ({
  title: 'Palaver',
  address: '/docs/start',
  main: html`<div class="start">
<h1>Palaver</h1>
<p class="lead">A chat platform that is driven through a REST API: servers, channels, messages, threads, roles and events. This server runs it. <a href="/">Open it in this browser</a>, or go on here to write programs for it.</p>
<dl class="state"><div><dt>Version</dt><dd>${version}</dd></div><div><dt>Process</dt><dd data-probe="/healthz">asking …</dd></div><div><dt>Data</dt><dd data-probe="/readyz">asking …</dd></div></dl>
<section><h2>First request</h2>
<p>An API key is printed when the server starts for the first time. The operator makes further ones with <code class="whole">palaver key create</code>. Put it into a variable of your shell, then ask who you are:</p>
${codeFrame('export KEY=sk_live_…', 'sh')}
${codeFrame(whoAmI, 'sh')}
<p>Then send a message. Its channel comes from <a href="/docs/reference/channels#channelsByServer">the list of channels</a>; the line that the first start printed has one, too.</p>
${codeFrame('export CHANNEL=…', 'sh')}
${codeFrame(send, 'sh')}
</section>
<section><h2>Ways on</h2>
<ul class="ways">
<li><a href="/docs/">Documentation</a><span>Every guide and every endpoint, in one search</span></li>
${has('quick-start') && html`<li><a href="/docs/guides/quick-start">Quick start</a><span>From nothing to a message in a few minutes</span></li>`}
${has('bot') && html`<li><a href="/docs/guides/bot">A bot</a><span>Answers mentions, in TypeScript, Python or curl</span></li>`}
<li><a href="/docs/reference/messages">Reference</a><span>Send requests from the page with your key</span></li>
<li><a href="/docs/guides/events">Events</a><span>Every change as it happens, without a gap</span></li>
${has('client') && html`<li><a href="/docs/guides/client">Client</a><span>For JavaScript and TypeScript, with typed calls</span></li>`}
<li><a href="/openapi.json">OpenAPI document</a><span>For generators, Postman and other tools</span></li>
</ul></section></div>`,
});
