import { html } from './html.ts';
import type { Page } from './layout.ts';
import { codeFrame, EXAMPLE_ORIGIN } from './operation.ts';

/**
 * Two example requests. The page replaces the address in them with its own. The key stays a variable, because
 * pages must not show keys.
 */
const whoAmI = `curl ${EXAMPLE_ORIGIN}/api/v1/users/me \\
  -H "Authorization: Bearer $KEY"`;
const send = `curl ${EXAMPLE_ORIGIN}/api/v1/messages \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d "{\\"channelId\\": \\"$CHANNEL\\", \\"content\\": \\"Hello, world\\"}"`;

/** Renders the start page: the server's version and health, a first request, and links. */
export const startPage = (version: string, has: (guide: string) => boolean): Page => ({
  title: 'Palaver',
  address: '/docs/start',
  main: html`<div class="start">
<h1>Palaver</h1>
<p class="lead">A self-hosted chat platform with a REST API for servers, channels, messages, threads, roles and events. <a href="/">Open this server in your browser</a>, or read on to write programs for it.</p>
<dl class="state"><div><dt>Version</dt><dd>${version}</dd></div><div><dt>Process</dt><dd data-probe="/healthz">checking …</dd></div><div><dt>Data</dt><dd data-probe="/readyz">checking …</dd></div></dl>
<section><h2>First request</h2>
<p>On its first start, the server prints an API key. The operator creates more with <code class="whole">palaver key create</code>. Put your key into a shell variable, then request the key's user:</p>
${codeFrame('export KEY=sk_live_…', 'sh')}
${codeFrame(whoAmI, 'sh')}
<p>Then send a message. To get the id of a channel, <a href="/docs/reference/channels#channelsByServer">list the channels</a>, or copy it from the command that the first start printed.</p>
${codeFrame('export CHANNEL=…', 'sh')}
${codeFrame(send, 'sh')}
</section>
<section><h2>Next steps</h2>
<ul class="ways">
<li><a href="/docs/">Documentation</a><span>All guides and endpoints, with search</span></li>
${has('quick-start') && html`<li><a href="/docs/guides/quick-start">Quick start</a><span>Your first message in a few minutes</span></li>`}
${has('bot') && html`<li><a href="/docs/guides/bot">A bot</a><span>Answers mentions, in TypeScript, Python or curl</span></li>`}
<li><a href="/docs/reference/messages">Reference</a><span>Send requests from the page with your key</span></li>
<li><a href="/docs/guides/events">Events</a><span>Every change as it happens, without gaps</span></li>
${has('client') && html`<li><a href="/docs/guides/client">Client</a><span>For JavaScript and TypeScript, with typed calls</span></li>`}
<li><a href="/openapi.json">OpenAPI document</a><span>For generators, Postman and other tools</span></li>
</ul></section></div>`,
});
