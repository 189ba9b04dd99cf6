import { appCases } from './eventCasesOfApps.ts';
import { channelCases } from './eventCasesOfChannels.ts';
import { memberCases } from './eventCasesOfMembers.ts';
import { webhookCases } from './eventCasesOfWebhooks.ts';
import type { EventCase } from './eventStage.ts';

/** Every endpoint that writes, with all that its events can be. */
export const eventCases: readonly EventCase[] = [
  ...channelCases,
  ...memberCases,
  ...appCases,
  ...webhookCases,
];
