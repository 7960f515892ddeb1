import { worded } from './worded.ts';

/**
 * An achievement's name in the language of the screens; its own, English one where they do not know it.
 * @param id default: the name as ids are written, for where only the name was kept
 */
export function achievementTitle(title: string, id = title.toLowerCase().replaceAll(' ', '-')): string {
  return worded({ title, said: { title: { key: `achievement.${id}` } } }, 'title');
}
