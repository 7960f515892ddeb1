import type { Setting } from '../../../src-preload/contract/settings.ts';

interface Wanted {
  /** Words that must all be in the path or the description. */
  text: string;
  /** Leaves out those that have their default. */
  changedOnly: boolean;
}

export function matchingSettings(settings: Setting[], { text, changedOnly }: Wanted): Setting[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return settings.filter(({ path, description, origin }) => {
    const searched = `${path} ${description}`.toLowerCase();
    return !(changedOnly && origin === 'default') && words.every((word) => searched.includes(word));
  });
}
