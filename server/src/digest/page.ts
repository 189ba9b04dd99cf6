import type { FastifyReply, FastifyRequest } from 'fastify';
import { q, remove } from '../db/statements.ts';
import { languageFor } from '../http/web/language.ts';
import { escapeHtml } from '../lib/html.ts';
import { HOUR_MS } from '../mail/outbox.ts';
import { type MailLanguage, mailLanguages } from '../mail/words.ts';
import type { Services } from '../operations/services.ts';
import { personOfToken } from './link.ts';
import { digestWords } from './words.ts';

/** Responds to a link that stops digests: asks for confirmation, or stops them if the request is a POST. */
export async function unsubscribe(
  services: Services,
  key: Uint8Array,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const userId = personOfToken(key, (request.query as { token?: unknown }).token);
  const { tag } = languageFor(request.headers, mailLanguages);
  const { page } = digestWords[tag as MailLanguage];
  const answer = (text: string, more = '') =>
    send(reply, tag, page.title, `<p>${escapeHtml(text)}</p>${more}`);
  if (userId === undefined) {
    reply.code(404);
    return answer(page.invalid);
  }
  if (request.method !== 'POST')
    return answer(page.question, `\n<form method="post"><button>${escapeHtml(page.button)}</button></form>`);
  await stop(services, userId);
  return answer(page.done);
}

/**
 * Unsubscribes a person from digests and removes queued ones. Does nothing if they have already unsubscribed.
 */
async function stop({ db, deps }: Services, userId: string): Promise<void> {
  const now = deps.now();
  const unsent = q
    .updateTable('mail')
    .set({ sealed: null, dueAt: null, forgetAt: now + HOUR_MS, updatedAt: now })
    .where('userId', '=', userId)
    .where('kind', '=', 'digest')
    .where('dueAt', 'is not', null);
  await db.write(async (tx) => {
    await tx.run(remove('emailDigest', { id: userId }));
    await tx.run(unsent);
  });
}

const send = (reply: FastifyReply, language: string, title: string, body: string): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .send(
      `<!doctype html>\n<html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>\n<body>\n<main>\n<h1>${escapeHtml(title)}</h1>\n${body}\n</main>\n</body></html>\n`,
    );
