import type { FastifyInstance } from 'fastify';

/** The page to which the operator's links lead. The token after `#` in a link stays in the browser. */
const WELCOME = '/welcome';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Palaver</title>
<h1>A link to an account</h1>
<p>It works once, and this page neither looks at it nor uses it up. This server has no pages yet on which you could choose a password:
a client of Palaver, or a command, does that. The token is the text after # in the link:</p>
<pre>curl -c cookies -H 'Palaver-Server: none' -H 'Content-Type: application/json' \\
  -d '{"token": "link_plv_…", "password": "…"}' <var>address</var>/api/people/links/claim</pre>
<p>The <a href="/docs">reference</a> says more, under People and Sessions.</p>
</html>
`;

/** Serves the page. It needs no script, and sends nothing. */
export function mountWelcome(app: FastifyInstance): void {
  app.get(WELCOME, (_request, reply) => {
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    });
    return reply.send(page);
  });
}
