import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Writes web/ui/icons.ts: the icons below from lucide-static, each as the data of one path. The package has 67 MB, so
// it is not a dependency. Install it to change the list:
//
//   npm install --no-save lucide-static@1.62.0 && node scripts/icons.ts

const names = `
accessibility activity archive arrow-down arrow-left arrow-right arrow-up at-sign ban bell bell-off bold bookmark bot
calendar check chevron-down chevron-left chevron-right chevron-up chevrons-up-down circle-alert circle-check clock code
copy corner-up-left crown database door-open download ellipsis ellipsis-vertical external-link eye eye-off file
file-archive file-text film flag folder folder-plus globe grip-vertical hash house id-card image inbox info italic
key-round keyboard laptop link list list-filter lock log-in log-out mail mail-open megaphone menu
message-square message-square-plus messages-square minus monitor moon palette panel-right paperclip pencil pin pin-off
play plug plus quote refresh-cw reply rotate-ccw save search send-horizontal server settings shield shield-check
smartphone sparkles square-terminal star strikethrough sun ticket trash triangle-alert upload user user-plus user-x
users volume-2 vote webhook wifi-off x zap
`
  .trim()
  .split(/\s+/);
/** Icons with a different name in lucide-static. */
const renamed: Record<string, string> = {
  smile: 'face-slightly-smiling',
  'smile-plus': 'face-slightly-smiling-plus',
  fingerprint: 'fingerprint-pattern',
};

type Shape = [element: string, attributes: Record<string, string>];

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, 'node_modules/lucide-static', file), 'utf8');
const nodes: Record<string, Shape[]> = JSON.parse(read('icon-nodes.json'));
const { version, license }: { version: string; license: string } = JSON.parse(read('package.json'));

/** Makes the first move absolute: a relative one would start where the previous shape ends. */
const absolute = (d: string): string =>
  d.replace(
    /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?=(.))/s,
    (_, x: string, y: string, next: string) => `M${x} ${y}${/[a-z]/i.test(next) ? '' : 'l'}`,
  );

/** Converts a shape to path data. */
function pathOf([element, attributes]: Shape): string {
  const n = (name: string) => Number(attributes[name] ?? 0);
  switch (element) {
    case 'path':
      return absolute(attributes.d ?? '');
    case 'line':
      return `M${n('x1')} ${n('y1')}L${n('x2')} ${n('y2')}`;
    case 'circle':
      return `M${n('cx') - n('r')} ${n('cy')}a${n('r')} ${n('r')} 0 1 0 ${2 * n('r')} 0a${n('r')} ${n('r')} 0 1 0 ${-2 * n('r')} 0`;
    case 'ellipse':
      return `M${n('cx') - n('rx')} ${n('cy')}a${n('rx')} ${n('ry')} 0 1 0 ${2 * n('rx')} 0a${n('rx')} ${n('ry')} 0 1 0 ${-2 * n('rx')} 0`;
    case 'polyline':
      return `M${attributes.points}`;
    case 'polygon':
      return `M${attributes.points}z`;
    case 'rect': {
      const r = n('rx') || n('ry');
      const [w, h] = [n('width') - 2 * r, n('height') - 2 * r];
      const arc = (x: number, y: number) => (r === 0 ? '' : `a${r} ${r} 0 0 1 ${x} ${y}`);
      return `M${n('x') + r} ${n('y')}h${w}${arc(r, r)}v${h}${arc(-r, r)}h${-w}${arc(-r, -r)}v${-h}${arc(r, -r)}z`;
    }
    default:
      throw new Error(`no path for <${element}>`);
  }
}

const lines = [...names.map((name) => [name, name] as const), ...Object.entries(renamed)]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([name, source]) => {
    const shapes = nodes[source];
    if (!shapes) throw new Error(`lucide-static has no icon ${source}`);
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `  ${key}: '${shapes.map(pathOf).join('')}',`;
  });

writeFileSync(
  join(root, 'web/ui/icons.ts'),
  `// Made by scripts/icons.ts from lucide-static ${version}, ISC License, Copyright (c) Lucide Icons and Contributors 2026;
// parts of it are from Feather, MIT License, Copyright (c) 2013-2023 Cole Bemis. https://lucide.dev/license

/** The icons: a name, and the data of its path in a square of 24. */
export const icons = {
${lines.join('\n')}
} as const;

/** The name of an icon. */
export type IconName = keyof typeof icons;
`,
);
writeFileSync(
  join(root, 'web/licences/copied/lucide-static.txt'),
  `lucide-static ${version}: ${license}\n\n${read('LICENSE').trim()}\n`,
);
