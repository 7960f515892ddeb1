/** What main says about: training, computing what an adapter learns. */
export const training = {
  'training.architecture':
    'A model of the architecture {{architecture}} cannot be trained here; {{known}} can be trained.',
  'training.experts': 'A mixture of experts cannot be trained here.',
  'training.unknownWay': 'This model cannot be trained here: what its file says of {{key}} is not known here.',
  'training.otherTensor': 'This model cannot be trained here: its tensor {{tensor}} is not what its architecture has.',
  'training.samples': 'These samples cannot be learnt from: they do not belong together, or to the model.',
  'training.notOpen': 'The trainer has no model open.',
  'training.notFinite': 'A step came to no number ({{words}}), and nothing was learnt from it.',
  'training.doesNotFit': 'Training this model takes {{memory, bytes}} of memory, and {{free, bytes}} may be used.',
  'training.smaller': 'Choose a smaller model, or have fewer layers learn.',
  'training.torch': 'The trainer in PyTorch',
  'training.torchSilent': 'was ended: it said nothing for minutes',
  'training.torchClosed': 'The trainer in PyTorch was closed.',
  'training.torchNoGpu': 'PyTorch finds no GPU that it can use.',
  'training.torchAdapter': 'The trainer in PyTorch cannot go on from there: {{words}}.',
  'training.torchRefused': 'The trainer in PyTorch failed: {{words}}.',
  'training.torchMemory': 'The trainer in PyTorch was short of memory: {{words}}.',
  'training.otherModel': 'Choose another model.',
} as const;
