/** What main says about: PyTorch, installed on request for the second trainer, and that trainer. */
export const torch = {
  'torch.noTool': 'Neither uv nor Python {{oldest}} to {{newest}} is on this computer.',
  'torch.installUv': 'Install uv (docs.astral.sh/uv), or Python, and try again.',
  'torch.noBuild': 'There is no PyTorch ({{variant}}) for this kind of computer ({{platform}}).',
  'torch.noRoom': 'Installing PyTorch takes {{disk, bytes}} of disk, and {{free, bytes}} are free.',
  'torch.toolFailed': '{{tool}} could not install PyTorch: {{words}}',
  'torch.again': 'Try again: what has been downloaded is kept.',
  'torch.busy': 'PyTorch is being installed. Cancel that first.',
  'torch.cancelled': 'The installation of PyTorch was cancelled.',
  'torch.inUse': 'PyTorch is training. Wait until that is done, or cancel it.',
  'torch.absent': 'PyTorch is not installed.',
  'torch.trainer': 'The trainer in PyTorch',
  'torch.silent': 'was ended: it said nothing for minutes',
  'torch.noGpu': 'PyTorch finds no GPU that it can use.',
  'torch.memory': 'The trainer in PyTorch was short of memory: {{words}}.',
  'torch.refused': 'The trainer in PyTorch failed: {{words}}.',
} as const;
