/** What main says about: the data set of clips, and their index. */
export const dataSet = {
  'dataSet.indexClosed': 'The index of clips is closed.',
} as const;
