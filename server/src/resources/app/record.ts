import { count, flag, id, json, longText, name, nullable, record, text, webUrl } from '../../http/fields.ts';
import { recordOf } from '../common.ts';

/** The fields that an app's server writes. */
export const appFields = {
  installCount: nullable(count('Once submitted: how many servers have it')),
  description: nullable(longText(undefined, 'Tells the weather')),
  name: nullable(name(undefined, 'Weather')),
  version: nullable(text({ max: 100, examples: ['1.2.0'] })),
  image: nullable(webUrl()),
  category: nullable(text({ max: 100, examples: ['tools'] })),
  publisherName: nullable(text({ max: 100, examples: ['Example Ltd'] })),
  npmPackage: nullable(text({ max: 214, examples: ['@example/weather'] })),
  verified: nullable(flag("Once submitted: a platform admin's word")),
};
export const appFieldNames = Object.keys(appFields) as (keyof typeof appFields)[];
export const type = nullable(text({ max: 100, examples: ['widget'] }));
export const meta = json('Anything; an array of strings on insert', ['weather', 'forecast']);

const shown = { serverId: id(), threadId: nullable(id()), type, meta, ...appFields };
export const app = record('App', shown);
export const toApp = recordOf(app);
