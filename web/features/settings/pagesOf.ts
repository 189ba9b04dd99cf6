import type { IconName } from '../../ui/index.ts';

interface Known<P> {
  icon: IconName;
  Page: P;
}

/** Pages by their ids in the address, as `Sections` wants them: which one is open, or the first where the address names none. */
export function pagesOf<Id extends string, P>(pages: Record<Id, Known<P>>, labels: Record<Id, string>) {
  const ids = Object.keys(pages) as [Id, ...Id[]];
  const groups = [{ sections: ids.map((id) => ({ id, label: labels[id], icon: pages[id].icon })) }];
  return (section: string | undefined) => {
    const id = ids.find((each) => each === section) ?? ids[0];
    return { id, Page: pages[id].Page, groups, open: section === undefined ? undefined : id };
  };
}
