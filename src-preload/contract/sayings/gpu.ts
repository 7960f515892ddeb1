/** What main says about: repositories that are judged on a graphics card. */
export const gpu = {
  'gpu.artefact':
    'It names no repository: an https address of plain words without a password, and a commit of 40 hexadecimal digits.',
  'gpu.fetch': 'The commit could not be fetched from its address.',
  'gpu.tooLarge': 'The repository is too large: 16 MB are allowed, and 5,000 files.',
  'gpu.files': 'A file that has to be there is not, or cannot be read as Python: {{detail}}',
  'gpu.imports': 'An import is against the rules: {{detail}}',
  'gpu.loads': 'It cannot be loaded: {{detail}}',
  'gpu.traps': 'A call ended with an error: {{detail}}',
  'gpu.late': 'It took too long.',
  'gpu.died': 'Its process ended, twice; in its place the baseline does not.',
  'gpu.tampers': 'It changed its input: {{detail}}',
  'gpu.wrong': 'A number is wrong, in the case «{{detail}}».',
  'gpu.noNetwork': 'This machine cannot fetch repositories: there is no network for containers.',
  'gpu.baseline': 'The baseline itself cannot be judged here: {{reason}}',
} as const;
