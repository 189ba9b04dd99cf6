import { text } from 'node:stream/consumers';
// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../../web/buildLanguages.js';
import { exported, imported } from './exchange.ts';
import { ENGLISH, flat, type Texts, textsIn, web, write } from './files.ts';
import { textFindings, translationFindings, useFindings } from './findings.ts';
import { usesOf } from './used.ts';

// Checks, exports and imports the web client's strings (see docs/guides/translating.md):
//
//   npm run strings                             checks them
//   npm run --silent strings -- export fr       writes a language's strings as one JSON file
//   npm run --silent strings -- import fr       reads them from that file

async function check(): Promise<string[]> {
  const english = await textsIn(ENGLISH);
  const findings = [];
  const all = [];
  for (const language of languagesIn(web)) {
    const texts = await textsIn(language);
    all.push(flat(texts));
    const wrong = [...textFindings(language, texts), ...translationFindings(english, texts)];
    findings.push(...wrong.map((finding) => `${language}: ${finding}`));
  }
  return [...findings, ...useFindings(english, all, usesOf(english))];
}

async function importFrom(language: string, json: string): Promise<string[]> {
  if (language === ENGLISH) return ['English is the source language: edit web/strings/en'];
  const texts = imported(JSON.parse(json) as Texts);
  const findings = [...textFindings(language, texts), ...translationFindings(await textsIn(ENGLISH), texts)];
  if (findings.length === 0) write(language, texts);
  return findings;
}

const [command = 'check', language = ''] = process.argv.slice(2).filter((each) => !each.endsWith('.ts'));
let findings: string[];
if (command === 'check') findings = await check();
else if (!/^[a-z]{2,3}(-\w+)*$/.test(language))
  findings = [`"${language}" is not a language tag: use one such as fr or pt-BR`];
else if (command === 'import') findings = await importFrom(language, await text(process.stdin));
else if (command === 'export') {
  console.log(JSON.stringify(await exported(language), null, 2));
  findings = [];
} else findings = [`unknown command "${command}": use check, export or import`];
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
