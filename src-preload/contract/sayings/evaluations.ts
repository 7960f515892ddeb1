/** What main says about: evaluations of models by questions about long texts. */
export const evaluations = {
  'evaluations.isDone': 'This evaluation is done.',
  'evaluations.runs': 'This evaluation is running.',
  'evaluations.another': 'Another evaluation is running.',
  'evaluations.pauseFirst': 'Pause it first.',
  'evaluations.otherModel': 'It was begun with the model {{was}}, and now {{is}} would answer.',
  'evaluations.sameModel': 'Load {{was}}, or begin a new one.',
  'evaluations.none': 'There is no evaluation «{{id}}».',
  'evaluations.list': 'The list of evaluations has those there are.',
  'evaluations.noSuite': 'There are no questions called «{{suite}}».',
  'evaluations.suites': 'There are: {{names}}.',
  'evaluations.key':
    'The key is the one that the settings have for a remote server, and only the server that they name gets it.',
} as const;
