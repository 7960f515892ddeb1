import type { SpotlightActionData, SpotlightActionGroupData } from '@mantine/spotlight';

/**
 * What fits the words that were typed: every one of them must stand in the label, the description or the keywords. Groups whose labels
 * have the words come first; otherwise they keep their order.
 * @param limit most that are returned, of all groups together
 */
export function matching(
  query: string,
  groups: readonly SpotlightActionGroupData[],
  limit: number,
): SpotlightActionGroupData[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.includes(word));
  const ranked = groups.map(({ group, actions }: { group: string; actions: SpotlightActionData[] }) => {
    const byLabel = actions.filter(({ label }) => fits(lower(label)));
    const byWords = actions.filter((action) => !byLabel.includes(action) && fits(textOf(action)));
    return { group, byLabel, all: [...byLabel, ...byWords] };
  });
  const inOrder = [
    ...ranked.filter(({ byLabel }) => byLabel.length > 0),
    ...ranked.filter(({ byLabel }) => byLabel.length === 0),
  ];
  let room = limit;
  return inOrder.flatMap(({ group, all }) => {
    const actions = all.slice(0, room);
    room -= actions.length;
    return actions.length > 0 ? [{ group, actions }] : [];
  });
}

function textOf({ label, description, keywords }: SpotlightActionData): string {
  return lower([label, description, ...[keywords ?? []].flat()].join(' '));
}

function lower(text: string | undefined): string {
  return (text ?? '').toLowerCase();
}
