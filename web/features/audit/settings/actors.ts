import { app } from '../../../strings/en/common.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import type { LogEvent } from '../logEvent.ts';

/** The actor of a change, for a filter: a user ID, or the event's `actor` if no user made the change. */
export const actorOf = ({ actorId, actor }: LogEvent): string => actorId ?? actor ?? 'unknown';

const names: Readonly<Record<string, string>> = {
  operator: serverSettings.operator,
  system: app.name,
  // Events of earlier versions do not distinguish the operator from Palaver itself.
  unknown: serverSettings.unknownActor,
};

/** The name of an actor that is not a user; undefined for a user ID. */
export const nameOfActor = (actor: string): string | undefined => names[actor];
