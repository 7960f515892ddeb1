import { vi } from 'vitest';
import { utilitySpawner } from '../../../../src-main/desktop/child/utility-spawner.ts';
import { spawnerContract } from '../../../support/spawner-contract.ts';

vi.mock('electron', () => import('../../../support/electron-double/utility-process.ts'));

spawnerContract('Electron (its double)', utilitySpawner, { signals: false, moduleTrees: false });
