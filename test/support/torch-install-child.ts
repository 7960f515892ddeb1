/** Installs with the tools of a folder: `torch-install-child.ts <folder> <tools>`. */
import { TorchEnvironment } from '../../src-main/learning/training/torch/torch-environment.ts';

const [folder = '', path = ''] = process.argv.slice(2);
await new TorchEnvironment({ folder, path }).install({ variant: 'cpu' });
