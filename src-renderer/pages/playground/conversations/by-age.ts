import type { Conversation } from '../../../../src-preload/contract/conversations.ts';

export interface AgeGroup {
  /** `month`: earlier in this month; a number: the month that began then, Unix milliseconds. */
  age: 'today' | 'yesterday' | 'month' | number;
  conversations: Conversation[];
}

/** Conversations in groups by when something was last asked in them, in the order in which they come: newest first. */
export function byAge(conversations: readonly Conversation[], now = Date.now()): AgeGroup[] {
  const groups: AgeGroup[] = [];
  for (const conversation of conversations) {
    const age = ageOf(conversation.updatedAt, now);
    const last = groups.at(-1);
    if (last?.age === age) last.conversations.push(conversation);
    else groups.push({ age, conversations: [conversation] });
  }
  return groups;
}

function ageOf(at: number, now: number): AgeGroup['age'] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (at >= today) return 'today';
  const day = new Date(now);
  if (at >= new Date(day.getFullYear(), day.getMonth(), day.getDate() - 1).getTime()) return 'yesterday';
  const month = new Date(at);
  const began = new Date(month.getFullYear(), month.getMonth()).getTime();
  return began === new Date(day.getFullYear(), day.getMonth()).getTime() ? 'month' : began;
}
