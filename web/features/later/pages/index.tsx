import type { ReactNode } from 'react';
import { later as t } from '../../../strings/en/writing.ts';
import { pagesOf, Sections } from '../../settings/index.ts';
import { Saved } from './Saved.tsx';
import { Scheduled } from './Scheduled.tsx';

const pages = pagesOf<keyof typeof t.sections, () => ReactNode>(
  { saved: { icon: 'bookmark', Page: Saved }, scheduled: { icon: 'clock', Page: Scheduled } },
  t.sections,
);

/** The user's saved and scheduled messages, from all servers. */
export default function LaterPages({ section }: { section: string | undefined }) {
  const { id, Page, groups, open } = pages(section);
  return (
    <Sections
      title={t.title}
      groups={groups}
      open={open}
      routeOf={(next) => ({ page: 'later', section: next })}
    >
      <Page key={id} />
    </Sections>
  );
}
