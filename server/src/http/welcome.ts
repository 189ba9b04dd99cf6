import type { FastifyInstance } from 'fastify';

const pageOf = (heading: string, text: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Palaver</title>
<h1>${heading}</h1>
${text}
<p>The <a href="/docs">reference</a> says more, under People and Sessions.</p>
</html>
`;

/** The pages to which links lead that Palaver gives out. What stands after # in a link stays in the browser. */
const pages: Readonly<Record<string, string>> = {
  '/welcome': pageOf(
    'A link to an account',
    `<p>It works once, and this page neither looks at it nor uses it up. This server has no pages yet on which you could choose a password:
a client of Palaver, or a command, does that. The token is the text after # in the link:</p>
<pre>curl -c cookies -H 'Palaver-Server: none' -H 'Content-Type: application/json' \\
  -d '{"token": "link_plv_…", "password": "…"}' <var>address</var>/api/people/links/claim</pre>
<p>A link that confirms an e-mail address goes to <var>address</var>/api/people/email/verify instead, as
<code>{"token": "link_plv_…"}</code>, with the cookies of your session.</p>`,
  ),
  '/device': pageOf(
    'An app that shows a code',
    `<p>This server has no page yet on which you could approve it: a client of Palaver in which you are signed in, or a command, does that.
Approve no app but one that you have started yourself.</p>
<pre>curl -b cookies -H 'Palaver-Server: none' -H 'Content-Type: application/json' \\
  -d '{"userCode": "BCDF-GHJK"}' <var>address</var>/api/people/approvals</pre>`,
  ),
  '/authorize': pageOf(
    'An app asks to sign you in',
    `<p>This server has no page yet on which you could approve it: a client of Palaver does that, by <code>POST /api/people/approvals/redirect</code>.
An app can show a code instead.</p>`,
  ),
};

/** Serves the pages. They need no script, and send nothing. */
export function mountWelcome(app: FastifyInstance): void {
  for (const [path, page] of Object.entries(pages))
    app.get(path, (_request, reply) => {
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        'referrer-policy': 'no-referrer',
      });
      return reply.send(page);
    });
}
