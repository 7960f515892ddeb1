/** What main says about: evaluations of models by questions about long texts. */
export const evaluations = {
  'evaluations.isDone': 'This evaluation is done.',
  'evaluations.runs': 'This evaluation is running.',
  'evaluations.another': 'Another evaluation is running.',
  'evaluations.pauseFirst': 'Pause it first.',
  'evaluations.otherQuestions':
    '«{{suite}}» asks other questions now than those that it was begun with: of a newer Quarry, or other files.',
  'evaluations.beginAnew': 'Begin a new evaluation; what was answered in this one stays.',
  'evaluations.otherModel': 'It was begun with the model {{was}}, and now {{is}} would answer.',
  'evaluations.sameModel': 'Load {{was}}, or begin a new one.',
  'evaluations.none': 'There is no evaluation «{{id}}».',
  'evaluations.list': 'The list of evaluations has those there are.',
  'evaluations.damaged': 'What was written down of this evaluation is damaged.',
  'evaluations.noQuestion': 'This evaluation has no such question.',
  'evaluations.noSuite': 'There are no questions called «{{suite}}».',
  'evaluations.suites': 'There are: {{names}}.',
  'evaluations.key':
    'The key is the one that the settings have for a remote server, and only the server that they name gets it.',
  'evaluations.beyondMesh':
    'The mesh carries no question of {{length, token|tokens}}: a request there has at most {{most, bytes}}.',
  'evaluations.beyondServer':
    '{{model}} has no room for {{length, token|tokens}}: a question and its answer have {{room}} together.',
  'evaluations.beyondModel':
    '{{model}} has no room for {{length, token|tokens}} and the answer behind them: it was made for {{trained}}.',
  'evaluations.beyondScaled':
    '{{model}} has no room for {{length, token|tokens}} and the answer behind them: it reaches {{trained}} with its positions scaled as they are.',
  'evaluations.beyondSetting':
    'There is no room for {{length, token|tokens}}: the model is loaded with {{room}} for a question and its answer.',
  'evaluations.beyondMemory':
    '{{model}} has no room for {{length, token|tokens}} on this computer: that takes {{needs, bytes}}, and there are {{has, bytes}} for it.',
  'evaluations.shorter': 'At most {{most, token|tokens}} fit.',
  'evaluations.shorterIfSet': 'At most {{most, token|tokens}} fit, with {{settings}} in the settings.',
  'evaluations.fitsIfSet': 'It fits with {{settings}} in the settings.',
  'evaluations.tooShort': '{{length, token|tokens}} are too few for «{{suite}}»: it takes about {{least}}.',
  'evaluations.builtIn':
    'The built-in model has random weights and only babbles: it has nothing right to say, whatever the length of the text.',
  'evaluations.axon.noWallet': 'A miner is asked in the name of a hotkey, and none is set.',
  'evaluations.axon.setWallet': 'Set validator.wallet and validator.hotkey, or axon.wallet and axon.hotkey.',
  'evaluations.axon.noSubnet': 'Nothing says on which subnet this miner is.',
  'evaluations.axon.setSubnet': 'Set validator.netuid or axon.netuid, or say where its axon is.',
  'evaluations.axon.unknownSubnet': 'There is no subnet {{netuid}}.',
  'evaluations.axon.unknown': 'Nobody on subnet {{netuid}} has the hotkey {{hotkey}}.',
  'evaluations.axon.none': 'On subnet {{netuid}}, {{hotkey}} has announced no axon.',
  'evaluations.axon.look': 'The page of the subnet has all its miners, each with its axon.',
  'evaluations.axon.refuses': '{{hotkey}} refuses to answer: {{status}} {{message}}',
  'evaluations.axon.rules':
    'An axon chooses whom it answers: mostly hotkeys that are registered on its subnet, some only with stake or a validator’s permit. It was asked in the name of {{asker}}.',
  'evaluations.axon.clock':
    'It does not believe the signature: either the clock of this computer is wrong, or the axon at that address is another’s.',
  'evaluations.axon.otherSubnet':
    '{{hotkey}} answers no questions about long texts as QUASAR has them: {{status}} {{message}}',
  'evaluations.axon.failed': '{{hotkey}} did not answer: {{status}} {{message}}',
  'evaluations.axon.slow': 'Most axons give up after a minute: ask about shorter texts.',
  'evaluations.axon.tooLong': 'The text is too long for {{hotkey}}: {{status}} {{message}}',
} as const;
