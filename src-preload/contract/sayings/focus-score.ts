/** What main says about: what a recording is worth. */
export const focusScore = {
  'focusScore.unscored.noModel': 'No model is set up that could look at it.',
  'focusScore.unscored.notSafe': 'The model’s address must begin with https, or be on this computer.',
  'focusScore.unscored.notAgreed': 'You have not agreed that pictures go to {{to}}.',
  'focusScore.unscored.noPictures': 'There is no picture in it that a model could look at.',
  'focusScore.unscored.pictures': 'Its pictures are too many, or larger than {{side}} pixels.',
  'focusScore.unscored.malformed': 'The model «{{model}}» did not answer in the form that was asked for.',
  'focusScore.unscored.refused': 'The model refuses to look at it: {{why}}',
  'focusScore.unscored.cut': 'The model’s answer was cut off: it needs more room.',
  'focusScore.unscored.failed': 'The model «{{model}}» gave no score. {{why}}',
  'focusScore.answer': 'an answer',
} as const;
