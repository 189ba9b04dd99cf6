import { useEffect, useState } from 'react';
import { api, type Records } from '../../../api/index.ts';
import { webhookSettings } from '../../../strings/en/programs.ts';
import { ago } from '../../../strings/format.ts';
import { Choice, ErrorText, Spinner, TextArea } from '../../../ui/index.ts';
import { useRested } from '../../../ui/useRested.ts';
import { Markdown } from '../../markdown/index.ts';
import { Json } from '../../settings/server/index.ts';

const t = webhookSettings.template;

/** Maximum length of a template in characters, as in the API. */
const MOST = 4_000;
/** Debounce in ms. Longer than usual, because previews count against the limit of 60 writes a minute. */
const PAUSE = 700;

interface TemplateFieldProps {
  /** Undefined for a new webhook. */
  webhook: Records['Webhook'] | undefined;
  format: 'detect' | 'own';
  onFormat: (format: 'detect' | 'own') => void;
}

/**
 * How an incoming webhook converts JSON: by detecting its format, or with a template. The template is
 * previewed with the last received body.
 */
export function TemplateField({ webhook, format, onFormat }: TemplateFieldProps) {
  const [text, setText] = useState(webhook?.template ?? '');
  return (
    <>
      <Choice
        label={t.format}
        hint={t.formatHint}
        value={format}
        onValue={onFormat}
        options={[
          { value: 'detect', label: t.detect },
          { value: 'own', label: t.own },
        ]}
      />
      {format === 'own' && (
        <>
          <TextArea
            name="template"
            label={t.own}
            hint={t.hint({ value: '{{service}}', other: '{{alerts[0].status}}' })}
            defaultValue={text}
            onText={setText}
            most={MOST}
            dir="ltr"
            spellCheck={false}
            required
          />
          {webhook ? (
            <Preview webhook={webhook} template={text} />
          ) : (
            <p className="setting-hint">{t.later}</p>
          )}
        </>
      )}
    </>
  );
}

type Shown = Records['WebhookPreview'] | { error: unknown };

/** Requests the preview after a debounce. Keeps the previous preview until the next one arrives. */
function usePreview({ id, serverId }: Records['Webhook'], template: string): [Shown | undefined, () => void] {
  const [shown, setShown] = useState<Shown>();
  const [turn, setTurn] = useState(0);
  const rested = useRested(template.trim() === '' ? '' : template, PAUSE);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn requests it again
  useEffect(() => {
    let isStale = false;
    const show = (next: Shown) => isStale || setShown(next);
    api(serverId)
      .webhookPreview({ id, template: rested || null })
      .then(show, (error: unknown) => show({ error }));
    return () => {
      isStale = true;
    };
  }, [id, serverId, rested, turn]);
  return [shown, () => setTurn(turn + 1)];
}

/** The message that the template produces from the last received body, and that body. */
function Preview({ webhook, template }: { webhook: Records['Webhook']; template: string }) {
  const [shown, again] = usePreview(webhook, template);
  if (shown === undefined) return <Spinner />;
  if ('error' in shown) return <ErrorText error={shown.error} onAgain={again} />;
  const { content, body, isWhole, receivedAt } = shown;
  if (body === null || receivedAt === null) return <p className="setting-hint">{t.none}</p>;
  return (
    <>
      <section className="setting-template" aria-label={t.preview} aria-live="polite">
        {content === null ? (
          <p className="setting-hint">{t.empty}</p>
        ) : (
          <Markdown
            content={content}
            named={(mark, name, tail) => (mark === ':' ? undefined : `${mark}${name}${tail}`)}
          />
        )}
      </section>
      <p className="setting-hint">
        {t.body({ when: ago(receivedAt) })} {!isWhole && t.start}
      </p>
      <Json value={JSON.parse(body)} label={t.body({ when: ago(receivedAt) })} />
    </>
  );
}
