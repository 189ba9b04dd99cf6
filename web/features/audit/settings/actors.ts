import { app } from '../../../strings/en/common.ts';
import { serverSettings } from '../../../strings/en/serverSettings.ts';
import type { LogEvent } from '../logEvent.ts';

/** Who made a change, for a filter: a user ID, or what the event says if no user made it. */
export const actorOf = ({ actorId, actor }: LogEvent): string => actorId ?? actor ?? 'unknown';

const names: Readonly<Record<string, string>> = {
  operator: serverSettings.operator,
  system: app.name,
  // Events of earlier versions do not tell the operator from Palaver itself.
  unknown: serverSettings.unknownActor,
};

/** The name of an actor that is not a user; undefined for a user ID. */
export const nameOfActor = (actor: string): string | undefined => names[actor];
