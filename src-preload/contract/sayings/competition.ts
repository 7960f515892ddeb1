/** What main says about: a competition that this node serves. */
export const competition = {
  'competition.clockForged':
    'The clock of the competition in the database was not set by this node: its reading is not signed by the hotkey that serves it.',
  'competition.noHotkey': 'It is not set in whose name the competition is held.',
  'competition.noHotkey.hint':
    'Choose a wallet and a hotkey for the validator in the settings. The hotkey signs receipts and records, and must have no password.',
  'competition.notServed': 'This node serves no competition.',
  'competition.notServed.hint': 'Switch the competition on in the settings of a validator.',
  'competition.listens':
    'It listens on port {{port}}: round {{round}} is open, with {{entries, submission|submissions}}.',
  'competition.listensClosed':
    'It listens on port {{port}}: round {{round}} is open, with {{entries, submission|submissions}}. The track for graphics cards is closed. {{why}}',
  'competition.closed.noEngine': 'There is no Docker here that answers.',
  'competition.closed.noImage': 'Docker does not have the image in which programs for graphics cards are judged.',
  'competition.closed.noCard': 'There is no graphics card here that containers can use.',
  'competition.appeals': '{{appeals, ban waits|bans wait}} for somebody to read an appeal.',
  'competition.appeals.advice': 'Look at the bans, and lift what nobody has deserved.',
} as const;
