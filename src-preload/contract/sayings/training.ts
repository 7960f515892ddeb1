/** What main says about: training, computing what an adapter learns. */
export const training = {
  'training.architecture':
    'A model of the architecture {{architecture}} cannot be trained here; {{known}} can be trained.',
  'training.experts': 'A mixture of experts cannot be trained here.',
  'training.unknownWay': 'This model cannot be trained here: what its file says of {{key}} is not known here.',
  'training.otherTensor': 'This model cannot be trained here: its tensor {{tensor}} is not what its architecture has.',
  'training.otherModel': 'Choose another model.',
  'training.notOpen': 'The trainer has no model yet.',
  'training.busy': 'The trainer is open already, with another model or other settings.',
  'training.badSample':
    'A sample to learn from is not sound: what is told of its tokens does not fit them, or it is too long.',
  'training.longSample':
    'A sample to learn from has {{tokens}} tokens; the trainer was opened for {{most}} at the most.',
  'training.unknownToken': 'A sample to learn from has a token that the model does not have: it has {{vocabulary}}.',
  'training.noNumber': 'The gradient became infinite or no number: nothing was learnt in this step.',
  'training.lowerRate': 'Begin anew with a lower learning rate.',
  'training.diskFull': 'The disk is full: the adapter was not saved.',
  'training.memory': 'The trainer has run out of memory.',
  'training.died': 'The trainer {{reason}}.',
  'training.hangs': 'was ended: it was not done after {{minutes, minute|minutes}}',
  'training.again': 'What was saved before is intact; go on from there.',
  'training.exists': 'There is something at {{folder}} already.',
  'training.otherOptimizer': 'the state of its optimizer does not belong to it',
  'training.doesNotFit':
    'Learning with this model takes {{needed, bytes}} of memory, and {{limit, bytes}} are allowed.',
  'training.wouldFit': 'It would fit with: {{ways, semicolons}}.',
  'training.wouldFit.layers': 'only the last {{layers, layer|layers}}',
  'training.wouldFit.rank': 'a rank of {{rank}}',
  'training.wouldFit.tokens': 'samples of at most {{tokens}} tokens',
  'training.noWebGpu': 'This app has no GPU that WebGPU can use.',
  'training.noGpuFor': 'The check of the GPU failed: {{why}}',
  'training.softwareGpu': 'WebGPU computes on the processor here ({{name}}).',
  'training.slowGpu': 'The GPU {{name}} is not faster than the processor: {{flops}} billion operations a second.',
  'training.otherGradients':
    'The GPU {{name}} does not compute what the processor does: its gradients are {{percent}} % apart.',
  'training.gpuFailed': 'The GPU failed: {{why}}',
  'training.gpuNonsense': 'What the GPU has computed is no adapter.',
  'training.pageGone': 'The page that trains on the GPU is gone.',
  'training.byGpu': 'Computed by the GPU {{name}}.',
  'training.byProcessor': 'Computed by the processor.',
  'training.byProcessorFor': 'Computed by the processor. {{why}}',
  'training.smallerModel': 'Choose a smaller model, or allow more memory.',
} as const;
