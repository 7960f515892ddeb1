/** What main says about: the search for faster kernels. */
export const optimiser = {
  'optimiser.none': 'There is no search «{{id}}».',
  'optimiser.list': 'The list of searches has those there are.',
  'optimiser.noAttempt': 'This search has no attempt {{number}}.',
  'optimiser.noBest': 'This search has no kernel that was measured.',
  'optimiser.runs': 'This search is running.',
  'optimiser.another': 'Another search is running.',
  'optimiser.stopFirst': 'Stop it first.',
  'optimiser.isDone': 'This search has tried all of its {{iterations, idea|ideas}}.',
  'optimiser.moreIdeas': 'Go on with more ideas than that.',
  'optimiser.damaged': 'What was written down of this search is damaged.',
  'optimiser.noRoom':
    '{{model}} has no room for what it is to be told: that takes {{needs, token|tokens}}, and question and answer have {{room}} together.',
  'optimiser.largerModel': 'Take a model with more room, or load this one with more.',
  'optimiser.notCompiled': 'This attempt cannot be compiled: {{why}}',
  'optimiser.compilerDied': 'The process that compiles {{reason}}',
} as const;
