import type { Records } from '../../../api/records.ts';
import { sectionsOf } from '../sections.ts';
import { changesFor, moved, type Placed } from './places.ts';

type Channel = Records['Channel'];
type Category = Records['Category'];

/** A row of the list: a channel, or the category above its channels. */
export type Item = Channel | Category;

export const isChannel = (item: Item): item is Channel => 'kind' in item;

/** The user's unsaved moves: the order of all rows, and the new categories of channels. */
export interface Wish {
  readonly ids: readonly string[];
  readonly into: ReadonlyMap<string, string | null>;
}

/** The rows in the order of the list, including unsaved moves. Rows added after those moves go last. */
export function arranged(channels: readonly Channel[], categories: readonly Category[], wish?: Wish): Item[] {
  const places = new Map(wish?.ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: Item) => places.get(id) ?? places.size;
  const inOrder = <T extends Item>(rows: readonly T[]) =>
    rows.toSorted((one, other) => placeOf(one) - placeOf(other));
  const placed = channels.map((channel) => {
    const categoryId = wish?.into.get(channel.id);
    return categoryId === undefined ? channel : { ...channel, categoryId };
  });
  return sectionsOf(inOrder(placed), inOrder(categories)).flatMap(({ category, channels: inside }) => [
    ...(category ? [category] : []),
    ...inside,
  ]);
}

/** The channels without a category, then each category with its channels. */
function blocksOf(items: readonly Item[]): Item[][] {
  const blocks: Item[][] = [[]];
  for (const item of items)
    if (isChannel(item)) blocks.at(-1)?.push(item);
    else blocks.push([item]);
  return blocks;
}

/** Moves a row to another row's position. A category's channels move with it. */
export function movedItem(items: readonly Item[], from: number, to: number): Item[] {
  const [item, target] = [items[from], items[to]];
  if (!item || !target || isChannel(item)) return moved(items, from, to);
  const blocks = blocksOf(items);
  const at = (one: Item) => blocks.findIndex((block) => block.includes(one));
  return moved(blocks, at(item), Math.max(1, at(target))).flat();
}

export const categoryAt = (items: readonly Item[], at: number): Category | undefined =>
  items.slice(0, at).findLast((item): item is Category => !isChannel(item));

/** The rows that a row can move past: the other categories, or the channels in its section. */
export function besides(items: readonly Item[], item: Item): readonly Item[] {
  if (!isChannel(item)) return items.filter((one) => !isChannel(one));
  return (blocksOf(items).find((block) => block.includes(item)) ?? []).filter(isChannel);
}

/** The new position of a channel or category. */
export interface PlaceChange {
  id: string;
  position?: number;
  /** A channel's new category. */
  categoryId?: string | null;
}

/** The smallest set of changes that produces the user's order. */
export function placeChanges(
  items: readonly Item[],
  stored: (id: string) => Channel | undefined,
): { categories: Placed[]; channels: PlaceChange[] } {
  const channels: PlaceChange[] = [];
  for (const block of blocksOf(items)) {
    const inside = block.filter(isChannel);
    const positions = new Map(changesFor(inside).map(({ id, position }) => [id, position]));
    for (const { id, categoryId } of inside) {
      const before = stored(id);
      const position = positions.get(id);
      const isElsewhere = before !== undefined && before.categoryId !== categoryId;
      if (position !== undefined || isElsewhere)
        channels.push({
          id,
          ...(position !== undefined && { position }),
          ...(isElsewhere && { categoryId }),
        });
    }
  }
  return { categories: changesFor(items.filter((item) => !isChannel(item))), channels };
}
