import { texts } from '../texts.ts';

/** Quiet hours and keywords. */
export const quiet = texts({
  quietTimes: {
    title: 'Quiet hours',
    isOn: 'Pause notifications on a schedule',
    more: 'No pushes, pop-ups, sounds or email digests. Everything still goes to your inbox.',
    from: 'From',
    to: 'To',
    timeZone: 'Time zone',
    days: 'Starts on',
  },
  keywords: {
    title: 'Keywords',
    lead: 'Get notified when someone uses one of these words, just like for a mention.',
    label: 'Your keywords',
    more: "Up to 20 words or phrases, separated by commas. Case and accents don't matter.",
  },
});
