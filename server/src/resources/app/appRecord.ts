import { eventsOf } from '../../feed/eventKind.ts';
import {
  body,
  count,
  flag,
  id,
  json,
  longText,
  name,
  named,
  nullable,
  record,
  reference,
  text,
  webUrl,
} from '../../operations/fields.ts';
import { recordOf } from '../common.ts';

/** The fields of an app that its server can change. */
export const appFields = {
  installCount: nullable(
    count('Number of servers that have installed the app; counted once the app has been submitted'),
  ),
  description: nullable(longText(undefined, 'Reports the weather')),
  name: nullable(name(undefined, 'Weather')),
  version: nullable(text({ max: 100, examples: ['1.2.0'] })),
  image: nullable(webUrl()),
  category: nullable(named(text({ max: 100, examples: ['tools'] }))),
  publisherName: nullable(named(text({ max: 100, examples: ['Example Ltd'] }))),
  npmPackage: nullable(text({ max: 214, examples: ['@example/weather'] })),
  verified: nullable(
    flag(
      'Whether the app is verified. Once the app has been submitted, only platform admins can change this',
    ),
  ),
};
export const appFieldNames = Object.keys(appFields) as (keyof typeof appFields)[];
export const type = nullable(text({ max: 100, examples: ['widget'] }));
export const meta = json('Any JSON. When an app is created, an array of strings', ['weather', 'forecast']);

const fields = { serverId: id(), threadId: nullable(id()), type, meta, ...appFields };
export const app = record('App', fields);
export const toApp = recordOf(app);

/** The record that writes return (specification, part 4.1). */
export const written = record('WrittenApp', {});

/** The body of operations on an app from the registry. */
export const registryBody = body({ id: reference('The app') });

export const appEvents = eventsOf(
  'app',
  { data: app, audience: 'member' },
  {
    created: 'An app was created',
    updated:
      'An app was updated or submitted, or an app from the registry was installed or removed in any server',
    deleted: 'An app was deleted',
  },
);
