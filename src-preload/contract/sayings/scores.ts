/** What main says about: scores, why a worker’s is not believed, as a clause. */
export const scores = {
  'score.inflated': 'it claims {{claimed}} points; its log proves {{proven}}',
  'score.secondLog': 'it names a second log',
  'score.otherLog': 'its log is not the one it claims at entry {{entry}}',
  'score.rewritten': 'the log was truncated or forked',
  'score.notOurs': 'entry {{entry}} is not one of ours',
  'score.forged': 'entry {{entry}}: {{why}}',
  'score.otherWorker': 'the receipt is another worker’s',
  'score.duplicate': 'entry {{entry}} is for a request that was there before',
  'score.blocksTooLarge': '{{blocks}} blocks have {{bytes}} bytes',
  'score.blockTooLarge': 'block {{block}} has {{bytes}} bytes',
  'score.noEntry': 'block {{block}} is not an entry',
  'score.asking':
    'This node was restored from a backup. It first asks others what it has done since, which takes one to ten minutes.',
  'score.split':
    'Another node runs with the same identity. This one serves nobody until the other is stopped and it is started again.',
} as const;
