import type { TSchema } from 'typebox';
import Type from 'typebox';
import type { EventKind, EventTable } from '../../feed/eventKind.ts';
import { exampleOf, sampleId } from '../../operations/examples.ts';
import { id, text, time } from '../../operations/fields.ts';

/** The name of the union of all events that a log keeps, and of those that streams are told live. */
export const EVENT = 'Event';
export const LIVE_EVENT = 'LiveEvent';

const actorId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'uuid',
  description: 'Whose doing it was; null for the operator, and for the server itself',
  examples: [sampleId('user')],
});

/** The fields of every event; `id` and `seq` of a logged one. */
function fieldsOf(kinds: readonly EventKind[]) {
  const [{ isLive, data }] = kinds as [EventKind];
  const words = kinds.map(({ type, words }) => `\`${type}\`: ${words}.`).join('\n\n');
  return {
    ...(!isLive && {
      id: text({
        max: 100,
        description: 'The cursor that the feed goes on from',
        examples: ['AAECAwQFAAAAAAAqmZqbnAECAwQ'],
      }),
      seq: Type.Integer({ minimum: 1, description: 'Grows by one in its log, without gaps', examples: [42] }),
    }),
    type: Type.Unsafe<string>({ type: 'string', enum: kinds.map(({ type }) => type), description: words }),
    serverId: id(),
    actorId,
    at: time('When it happened'),
    data,
  };
}

/** `message` as `MessageEvent`. */
const nameOf = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}Event`;

/** The schemas of the events of each noun, by their names: their types, and the data that these have. */
function schemasOf(kinds: readonly EventKind[]): Map<string, { kinds: EventKind[]; schema: TSchema }> {
  const schemas = new Map<string, { kinds: EventKind[]; schema: TSchema }>();
  for (const [noun, same] of Map.groupBy(kinds, (kind) => kind.noun)) {
    const name = nameOf(noun);
    const schema = Type.Object(fieldsOf(same), { $id: name, title: name, additionalProperties: false });
    schemas.set(name, { kinds: same, schema });
  }
  return schemas;
}

/** One union, told apart by `type` (OpenAPI 3.1, discriminator object). */
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

/** The schemas of all events, to be named by the document, and the two unions of them. */
export function describeEvents({ logged, live }: EventTable): {
  schemas: TSchema[];
  unions: Record<string, object>;
} {
  const kept = schemasOf(logged);
  const told = schemasOf(live);
  return {
    schemas: [...kept.values(), ...told.values()].map(({ schema }) => schema),
    unions: {
      [EVENT]: unionOf(EVENT, kept, 'An event that a log keeps.'),
      [LIVE_EVENT]: unionOf(
        LIVE_EVENT,
        told,
        'An event that streams are told at the moment, and no log keeps.',
      ),
    },
  };
}

/** An event for the documents. */
export function eventExample({ logged }: EventTable): { id: string } {
  const kinds = logged.filter(({ noun }) => noun === 'message');
  return exampleOf(Type.Object(fieldsOf(kinds)), 'event') as { id: string };
}
