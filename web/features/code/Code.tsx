import { Suspense } from 'react';
import { markdown as t } from '../../strings/en/conversation.ts';
import { Copy } from '../../ui/index.ts';
import { optional } from '../../ui/missingPart.ts';
import { isCostly } from './costly.ts';

const Highlighted = optional(() => import('./Highlighted.tsx'));

interface CodeProps {
  text: string;
  language: string;
  /** Shows the code without highlighting. */
  isPlain?: boolean;
}

/** A code block with its language and a copy button. */
export function Code({ text, language: info, isPlain }: CodeProps) {
  const language = /^[\w+#.-]{1,30}/.exec(info)?.[0];
  const plain = <code>{text}</code>;
  return (
    <div className="markdown-code">
      <span className="markdown-code-tools">
        {language !== undefined && <span className="markdown-code-language">{language}</span>}
        <Copy text={text} label={t.copyCode} />
      </span>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users need to scroll it */}
      <pre tabIndex={0} dir="ltr">
        {language === undefined || isPlain || isCostly(text, language) ? (
          plain
        ) : (
          <Suspense fallback={plain}>
            <Highlighted language={language.toLowerCase()} text={text} />
          </Suspense>
        )}
      </pre>
    </div>
  );
}
