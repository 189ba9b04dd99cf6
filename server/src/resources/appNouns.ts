import { appEvents } from './app/appRecord.ts';
import { appOperations } from './app/index.ts';
import { appInstallEvents, appInstallOperations } from './appInstall.ts';
import { commandEvents, commandOperations } from './command/index.ts';
import { flowEvents, flowRunEvents } from './flow/flowRecord.ts';
import { flowOperations } from './flow/index.ts';
import { interactionOperations } from './interaction/index.ts';
import { approvalEvents, interactionEvents } from './interaction/interactionRecord.ts';

/** The nouns of apps, agents and flows. */
export const appNouns = {
  app: {
    group: 'Apps',
    purpose: 'Custom apps, and the registry that other servers install them from',
    operations: appOperations,
    events: appEvents,
  },
  appInstall: {
    group: 'Apps',
    purpose: 'Apps installed in a server',
    operations: appInstallOperations,
    events: appInstallEvents,
  },
  interaction: {
    group: 'Apps',
    purpose: "Uses of agents' blocks and commands, with the answers",
    operations: interactionOperations,
    events: { ...interactionEvents, ...approvalEvents },
  },
  command: {
    group: 'Apps',
    purpose: "Agents' commands, which people use from the composer",
    operations: commandOperations,
    events: commandEvents,
  },
  flow: {
    group: 'Apps',
    purpose: 'Automations of a server: steps that Palaver runs when a trigger occurs',
    operations: flowOperations,
    events: { ...flowEvents, runCreated: flowRunEvents.created, runUpdated: flowRunEvents.updated },
  },
} as const;
