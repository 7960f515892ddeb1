import { nodeSpawner } from '../../../src-main/process/process-spawner.ts';
import { spawnerContract } from '../../support/spawner-contract.ts';

spawnerContract('Node', nodeSpawner, { signals: true });
