/** What main says about: tasks with a long context that Quarry makes. */
export const madeTasks = {
  'madeTasks.missed': 'No text comes within 1 % of {{tokens, token|tokens}}.',
  'madeTasks.missed.hint': 'Choose a greater length, or another model: this one’s tokenizer jumps.',
} as const;
