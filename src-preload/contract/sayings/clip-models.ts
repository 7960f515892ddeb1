/** What main says about: models that make numbers and words of clips. */
export const clipModels = {
  'clipModels.badManifest': 'The folder {{folder}} holds no model that can be used here.',
  'clipModels.badManifest.hint': 'See «Models of clips» in models/README.md for what has to lie there.',
  'clipModels.otherFile': 'The file {{file}} in {{folder}} is not the one that the model’s description names.',
  'clipModels.fetchAgain': 'Fetch the model again, or name another folder.',
  'clipModels.unusable': 'The model {{name}} in {{folder}} cannot be used: {{reason}}.',
  'clipModels.closed': 'The models of clips were closed meanwhile.',
  'clipModels.died': 'The models of clips {{reason}}.',
  'clipModels.speechDied': 'The models of speech {{reason}}.',
  'clipModels.resting':
    'The models died {{failures}} times within {{seconds}} seconds, and are left alone for a moment.',
  'clipModels.fetching': 'Another model is being fetched already.',
  'clipModels.fetchingIt': 'The model is being fetched just now.',
  'clipModels.known': 'There are: {{names}}.',
  'clipModels.fetch':
    'Fetch a model for it: quarry data models. Or name the folder of your own: quarry settings list data.models',
  'clipModels.lost.pictures': 'No clip can be found by meaning, compared with others, scored or handed in.',
  'clipModels.lost.texts': 'Nothing says how well a description or a topic fits a clip.',
  'clipModels.lost.sounds': 'Clips are compared and scored by their pictures alone.',
  'clipModels.lost.scores': 'No clip is scored, neither one’s own nor those of miners.',
  'clipModels.measure':
    'Measure with clips of your own from where on these models call two of them alike: quarry calibrate clips',
  'clipModels.lost.speech':
    'What is said is not written down: clips begin and end at scenes only, and descriptions lack the words.',
  'clipModels.lost.speakers': 'Nothing tells who speaks when: sounds cannot be scored.',
  'clipModels.lost.captions': 'Descriptions are made of titles, speech and labels, and are worth less.',
  'clipModels.captions.none': 'Name a server and a model that takes pictures in the settings (data.captioner).',
  'clipModels.captions.notSafe': 'The server’s address must begin with https, or be on this computer.',
  'clipModels.captions.notAgreed': 'You have not agreed that pictures of clips go to {{to}}.',
  'clipModels.captions.refused': 'The model refuses to describe the clip: {{why}}',
  'clipModels.captions.answer': 'a description',
} as const;
