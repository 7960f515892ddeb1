/** What main says about: a market of videos that this node serves. */
export const market = {
  'market.noHotkey': 'It is not set in whose name the market sells.',
  'market.noHotkey.hint': 'Choose a wallet and a hotkey for the validator in the settings.',
  'market.noPool': 'It is not known what miners get for videos in a day.',
  'market.noPool.hint':
    'Say it in the settings, or name the validator’s subnet there and try again once the chain answers.',
  'market.notServed': 'This node serves no market.',
  'market.notServed.hint': 'Switch the market on in the settings.',
  'market.notWaiting': 'This video does not wait to be looked at any more.',
  'market.tooLittle': 'What is worth less than 0.1 is not listed: give it a score, or refuse it.',
  'market.listens':
    'It listens on port {{port}}: {{listed, video|videos}} for sale, {{waiting, video|videos}} waiting to be looked at.',
  'market.noScorer': 'Nothing scores videos at this market: what is offered waits, and is not listed.',
  'market.noScorer.advice': 'Name a model under `focus.scorer`, then close the market and open it again.',
} as const;
