/** What main says about: training, computing what an adapter learns. */
export const training = {
  'training.architecture':
    'A model of the architecture {{architecture}} cannot be trained here; {{known}} can be trained.',
  'training.experts': 'A mixture of experts cannot be trained here.',
  'training.unknownWay': 'This model cannot be trained here: what its file says of {{key}} is not known here.',
  'training.otherTensor': 'This model cannot be trained here: its tensor {{tensor}} is not what its architecture has.',
  'training.otherModel': 'Choose another model.',
} as const;
