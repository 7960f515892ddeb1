import { worded } from './worded.ts';

/** An achievement's name in the language of the screens; its own, English one where they do not know it. */
export function achievementTitle(title: string, id: string): string {
  return worded({ title, said: { title: { key: `achievement.${id}` } } }, 'title');
}
