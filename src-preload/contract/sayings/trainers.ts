/** What main says about: which trainer a run gets, and where else it could be trained. */
export const trainers = {
  'trainers.noTorch':
    'It waits for PyTorch, which is set as its trainer and not installed: «quarry learn torch install».',
  'trainers.noneThere': 'It waits for another of your nodes to train it, and none is connected.',
  'trainers.noneCan': 'It waits for another of your nodes to train it: {{whys, spaces}}',
  'trainers.away': 'It waits to go on from what was saved: {{why}}',
  'trainers.torchCould':
    'PyTorch, which is installed here, could: some {{seconds, tenths}} s a step. Set learning.trainer to "torch".',
  'trainers.nodeCould':
    'Your node {{name}} could: some {{seconds, tenths}} s a step. Set learning.trainer to "paired".',
  'trainers.ownRun': 'It is learning itself.',
} as const;
