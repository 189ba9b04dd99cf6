import type { IconName } from '../../ui/index.ts';

interface Known<P> {
  icon: IconName;
  Page: P;
}

/**
 * Maps the `section` in the URL to props for `Sections`: the page with that ID, or the first page if the ID
 * is missing or unknown.
 */
export function pagesOf<Id extends string, P>(pages: Record<Id, Known<P>>, labels: Record<Id, string>) {
  const ids = Object.keys(pages) as [Id, ...Id[]];
  const groups = [{ sections: ids.map((id) => ({ id, label: labels[id], icon: pages[id].icon })) }];
  return (section: string | undefined) => {
    const id = ids.find((each) => each === section) ?? ids[0];
    return { id, Page: pages[id].Page, groups, open: section === undefined ? undefined : id };
  };
}
