import type { TSchema } from 'typebox';
import { actorKinds } from '../../db/tables/event.ts';
import type { EventKind, EventTable } from '../../feed/eventKind.ts';
import { Type } from '../../lib/schema.ts';
import { exampleOf, SAMPLE_EVENT_ID, sampleId } from '../../operations/examples.ts';
import { id, text, time } from '../../operations/fields.ts';

/** The name of the union of all stored events. */
export const EVENT = 'Event';
/** The name of the union of all live events. */
export const LIVE_EVENT = 'LiveEvent';

const actorId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The user who made the change; null for the operator and for Palaver itself',
  examples: [sampleId('user')],
});

const actor = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  enum: [...actorKinds, null],
  description:
    '`person` is a signed-in person, or an app that acts for one; `key`, an API key, an incoming webhook or a flow; `operator`, the operator on the command line; `system`, Palaver itself. Null in events of earlier versions',
  examples: ['person'],
});

/** Returns the fields of events. Only stored events have `id` and `seq`. */
function fieldsOf(kinds: readonly EventKind[]) {
  const [{ live, data }] = kinds as [EventKind];
  const words = kinds.map(({ type, words }) => `\`${type}\`: ${words}.`).join('\n\n');
  return {
    ...(!live && {
      id: text({
        max: 100,
        description: 'Also the cursor that continues after this event',
        examples: [SAMPLE_EVENT_ID],
      }),
      seq: Type.Integer({
        format: 'int64',
        minimum: 1,
        description: "The event's number in its log, without gaps",
        examples: [42],
      }),
    }),
    type: Type.Unsafe<string>({ type: 'string', enum: kinds.map(({ type }) => type), description: words }),
    serverId: id(),
    actorId,
    actor,
    at: time('When the change happened'),
    data,
  };
}

/** Returns the schema name for a noun's events, such as `MessageEvent` for `message`. */
export const eventNameOf = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Event`;

/** Returns the event schemas of each noun, by name, with the event types they cover. */
function schemasOf(kinds: readonly EventKind[]): Map<string, { kinds: EventKind[]; schema: TSchema }> {
  const schemas = new Map<string, { kinds: EventKind[]; schema: TSchema }>();
  for (const [noun, same] of Map.groupBy(kinds, (kind) => kind.noun)) {
    const name = eventNameOf(noun);
    const schema = Type.Object(fieldsOf(same), { $id: name, title: name, additionalProperties: false });
    schemas.set(name, { kinds: same, schema });
  }
  return schemas;
}

/** Returns a union discriminated by `type` (OpenAPI 3.1, discriminator object). */
function unionOf(name: string, schemas: ReturnType<typeof schemasOf>, description: string): object {
  const refTo = (name: string) => `#/components/schemas/${name}`;
  const mapping = [...schemas].flatMap(([name, { kinds }]) => kinds.map(({ type }) => [type, refTo(name)]));
  return {
    title: name,
    description,
    oneOf: [...schemas.keys()].map((name) => ({ $ref: refTo(name) })),
    discriminator: { propertyName: 'type', mapping: Object.fromEntries(mapping) },
  };
}

/** Returns the schemas of all events, and the two unions. */
export function describeEvents({ logged, live }: EventTable): {
  schemas: TSchema[];
  unions: Record<string, object>;
} {
  const loggedSchemas = schemasOf(logged);
  const liveSchemas = schemasOf(live);
  return {
    schemas: [...loggedSchemas.values(), ...liveSchemas.values()].map(({ schema }) => schema),
    unions: {
      [EVENT]: unionOf(EVENT, loggedSchemas, 'An event in a log.'),
      [LIVE_EVENT]: unionOf(
        LIVE_EVENT,
        liveSchemas,
        'A live event: sent to open streams only, not kept in a log.',
      ),
    },
  };
}

/** Returns an event to use as an example in the document. */
export function eventExample({ logged }: EventTable): { id: string } {
  const kinds = logged.filter(({ noun }) => noun === 'message');
  return exampleOf(Type.Object(fieldsOf(kinds)), 'event') as { id: string };
}
