/** What main says about: learning from feedback. */
export const learning = {
  'learning.wanted.adapter':
    'a name of letters, digits, dots, dashes and underscores, in parts between slashes, of at most 100 characters',
} as const;
